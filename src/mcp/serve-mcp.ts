import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { addContestTools, type ContestTools } from './contest-tools.ts'
import { addFleetTools, type FleetDoor } from './fleet-tools.ts'
import { addSuiteTools, type SuiteTools } from './suite-tools.ts'

export interface McpDeps extends ContestTools, SuiteTools {
  readonly version: string
  /** The connection to a fleet; null for a server without fleet tools. */
  readonly fleet: FleetDoor | null
}

/** Serves the Model Context Protocol on standard input and output. Contests and suites that it started continue when standard input ends. */
export function serveMcp({ version, fleet, ...tools }: McpDeps): void {
  serveStdio(() => {
    const server = new McpServer({ name: 'paddock', version })
    addContestTools(server, tools)
    addSuiteTools(server, tools)
    if (fleet !== null) addFleetTools(server, fleet)
    return server
  })
}
