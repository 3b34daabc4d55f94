/** An MCP server for an agent. */
export type McpServer = { readonly name: string } & (
  | {
      /** The program, which the agent starts in its cell, and its arguments. */
      readonly command: readonly string[]
      readonly env?: Readonly<Record<string, string>> | undefined
    }
  | {
      /** The URL as reached from the cell. */
      readonly url: string
      /** `$NAME` in a value stands for a variable of the cell. */
      readonly headers?: Readonly<Record<string, string>> | undefined
      /** True if its tools may wait for a human. */
      readonly waits?: true
    }
)

/** How long a CLI waits for a tool of a server that waits for a human, in seconds. */
export const mcpSeconds = 7 * 86_400

/** Returns whether the CLI must wait long for tools of a server. */
export function waits(server: McpServer): boolean {
  return 'url' in server && server.waits === true
}

/** Returns the headers of a server with variables in the syntax of a CLI. */
export function headersFor(headers: Readonly<Record<string, string>> = {}, variable: (name: string) => string): Record<string, string> {
  const written = (text: string): string => text.replace(/\$([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => variable(name))
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, written(value)]))
}

/** Returns the servers as the map by name that most CLIs have in their settings. */
export function byName(servers: readonly McpServer[], entry: (server: McpServer) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(servers.map((each) => [each.name, entry(each)]))
}
