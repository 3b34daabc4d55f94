import type { McpServer } from '../../mcp-server.ts'

/** The bridge's first argument, as JSON. The agent's command follows it. */
export interface BridgeOrder {
  /** The agent's working directory, as an absolute path in the cell. */
  readonly cwd: string
  /** The requested model; null: the agent's own choice. */
  readonly model: string | null
  /** MCP servers that the agent connects to. */
  readonly mcp: readonly McpServer[]
}

/** A line of the bridge on standard output. */
export type BridgeLine =
  /** The next part of the agent's message. */
  | { readonly type: 'delta'; readonly text: string }
  /** The next part of the agent's reasoning. */
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly id: string; readonly ok: boolean; readonly text: string }
  /** The token totals of the whole run. */
  | { readonly type: 'usage'; readonly input: number; readonly output: number; readonly cachedInput: number }
  | { readonly type: 'cost'; readonly usd: number }
  | { readonly type: 'error'; readonly message: string; readonly login: boolean }
  /** The last line: whether the agent completed its turn. */
  | { readonly type: 'result'; readonly ok: boolean }
