/** The messages between the host process and the runner in a cell: one JSON object per line. Nothing is built from this file of types. */

export type McpServer =
  | { readonly command: readonly string[]; readonly env?: Readonly<Record<string, string>> | undefined }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }

/** A tool of an MCP server, as that server describes it. */
export interface RemoteTool {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly schema: unknown
}

export type ToRunner =
  /** The first message. */
  | { readonly type: 'open'; readonly mcp: Readonly<Record<string, McpServer>> }
  | {
      readonly type: 'call'
      readonly id: string
      /** The name in the form `bash` or `SERVER/TOOL`. */
      readonly tool: string
      readonly input: unknown
      readonly timeoutMs: number
    }
  | { readonly type: 'cancel'; readonly id: string }

export type FromRunner =
  /** The answer to `open`. */
  | { readonly type: 'ready'; readonly tools: readonly RemoteTool[]; readonly problems: readonly string[] }
  | { readonly type: 'done'; readonly id: string; readonly ok: boolean; readonly text: string }
