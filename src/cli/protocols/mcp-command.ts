import path from 'node:path'
import { resolvePaths } from '../../base/paths.ts'
import { ContestRuns } from '../../fleet/contests/contest-runs.ts'
import { SuiteWorks } from '../../fleet/contests/suite-works.ts'
import { contestsBelow } from '../../mcp/contest-directory.ts'
import { serveMcp } from '../../mcp/serve-mcp.ts'
import { answered, connectServer, type ServerOptions } from '../fleet/connect.ts'
import { ownProgram } from '../own-program.ts'
import { version } from '../version.ts'

interface McpOptions extends ServerOptions {
  readonly root: string
  readonly fleet?: boolean
}

/** `paddock mcp`: serves MCP. Only protocol messages may go to standard output. */
export function mcpCommand({ root, fleet, ...options }: McpOptions): void {
  const paths = resolvePaths(process.env)
  serveMcp({
    version,
    paths,
    below: contestsBelow(root, paths.userHome),
    runs: new ContestRuns(path.join(paths.state, 'contests'), ownProgram(), process.env, paths.state),
    suites: new SuiteWorks(path.join(paths.state, 'suites'), ownProgram(), process.env, paths.state),
    fleet: fleet === true ? { client: () => connectServer(options), answered } : null,
  })
}
