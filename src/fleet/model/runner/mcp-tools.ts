import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { messageOf } from '../../../base/errors.ts'
import { headAndTail } from './runner-output.ts'
import type { McpServer, RemoteTool } from './runner-protocol.ts'

/** Milliseconds that a server has to start and to list its tools. */
const startMs = 30_000
/** Limits for one server: tools, bytes of one schema, bytes of all schemas, and characters of a description. */
const [mostTools, mostSchema, mostSchemas, mostDescription] = [128, 16 * 1024, 384 * 1024, 2_000]

/** The MCP servers of one agent. */
export class McpServers {
  readonly #clients = new Map<string, Client>()

  /** Connects to all servers. A server that does not answer has no tools, and is listed as a problem. */
  async open(servers: Readonly<Record<string, McpServer>>): Promise<{ tools: RemoteTool[]; problems: string[] }> {
    const problems: string[] = []
    const found = await Promise.all(
      Object.entries(servers).map(async ([name, server]) => {
        const within = AbortSignal.timeout(startMs)
        try {
          return await Promise.race([this.#connect(name, server), expired(within)])
        } catch (error) {
          problems.push(`${name}: ${messageOf(error).slice(0, 500)}`)
          return []
        }
      }),
    )
    return { tools: found.flat(), problems }
  }

  async call(server: string, tool: string, input: Record<string, unknown>, timeout: number, signal: AbortSignal): Promise<string> {
    const client = this.#clients.get(server)
    if (client === undefined) throw new Error(`The MCP server ${server} is not there.`)
    const answer = await client.callTool({ name: tool, arguments: input }, { timeout, maxTotalTimeout: timeout, signal })
    const content = Array.isArray(answer.content) ? answer.content : []
    const texts = content.map((each) => ('text' in each && typeof each.text === 'string' ? each.text : `[${each.type}]`))
    const structured = texts.length === 0 && answer.structuredContent !== undefined ? JSON.stringify(answer.structuredContent) : ''
    const text = headAndTail(texts.join('\n') + structured)
    if (answer.isError === true) throw new Error(text)
    return text
  }

  async #connect(name: string, server: McpServer): Promise<RemoteTool[]> {
    const client = new Client({ name: 'paddock', version: '1' })
    await client.connect(transportOf(server), { timeout: startMs })
    this.#clients.set(name, client)
    const { tools } = await client.listTools(undefined, { timeout: startMs })
    let room = mostSchemas
    return tools.slice(0, mostTools).flatMap((tool): RemoteTool[] => {
      const size = Buffer.byteLength(JSON.stringify(tool.inputSchema))
      if (!/^[A-Za-z0-9_.-]{1,64}$/.test(tool.name) || size > mostSchema || size > room) return []
      room -= size
      return [{ server: name, name: tool.name, description: (tool.description ?? '').slice(0, mostDescription), schema: tool.inputSchema }]
    })
  }
}

function transportOf(server: McpServer): Transport {
  if ('url' in server) {
    const headers = Object.fromEntries(Object.entries(server.headers ?? {}).map(([name, value]) => [name, withVariables(value)]))
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } })
  }
  const [command = '', ...args] = server.command
  const own = Object.entries(process.env).filter((each): each is [string, string] => each[1] !== undefined)
  return new StdioClientTransport({ command, args, env: { ...Object.fromEntries(own), ...server.env }, stderr: 'inherit' })
}

function withVariables(text: string): string {
  return text.replace(/\$([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => process.env[name] ?? '')
}

function expired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error(`It did not answer within ${startMs / 1_000} s.`))),
  )
}
