import { type AgentRun, type RunAgentOptions, runAgent as run } from './programs/agent-run.ts'
import type { CellOptions } from './programs/cell-options.ts'
import { type OpenCell, openCell as open } from './programs/open-cell.ts'

export async function openCell(options: CellOptions = {}): Promise<OpenCell> {
  return await open({ env: process.env, ...options })
}

export async function runAgent(options: RunAgentOptions): Promise<AgentRun> {
  return await run({ env: process.env, ...options })
}
