import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { command, type Stage } from './cli.ts'

/** The answer of a tool of `paddock mcp`. */
export interface ToolAnswer {
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: what each tool answers is for the test to say
  readonly data: any
}

/** A client of `paddock mcp`, from the protocol's package. */
export interface McpClient {
  readonly tools: () => Promise<readonly string[]>
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
  /** Kills the server. */
  kill(): Promise<void>
  /** Closes the server in the way of the protocol. */
  close(): Promise<void>
}

export async function mcpClient(stage: Stage, args: readonly string[]): Promise<McpClient> {
  const [program = '', ...rest] = command(stage.who, ['mcp', ...args])
  const transport = new StdioClientTransport({ command: program, args: rest, env: stage.env, cwd: stage.project })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given = {}) {
      const { isError, content } = await client.callTool({ name, arguments: given })
      const text = content.map((each) => (each.type === 'text' ? each.text : '')).join('')
      return { isError: isError === true, data: /^[{[]/.test(text) ? JSON.parse(text) : text }
    },
    async kill() {
      const closed = new Promise<void>((resolve) => {
        client.onclose = resolve
      })
      process.kill(transport.pid ?? 0, 'SIGKILL')
      await closed
    },
    close: () => client.close(),
  }
}
