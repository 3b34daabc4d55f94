import type { AgentAdapter } from '../../adapters/adapter.ts'
import { lastSession } from '../../adapters/last-session.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { commandText } from '../run-command-text.ts'

/**
 * Returns the command that continues the last conversation of a terminal in a cell, for a shell. The command that the CLI prints would run
 * on the host, without a cell. Empty if the session is not in the private home, where the next cell would find it.
 * `options`: the options of this run as they were given.
 */
export function resumeLines(
  agent: AgentAdapter | null,
  { home }: CellSpec,
  startedAt: string,
  options: readonly string[],
): readonly string[] {
  if (agent?.sessions === undefined || home.kind !== 'persistent') return []
  const args = lastSession(agent.sessions, home.path, Date.parse(startedAt))
  if (args === null) return []
  return [`continue with: ${commandText(options, [agent.name, ...args])}`]
}
