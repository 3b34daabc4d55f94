import type { AgentAdapter } from '../../adapters/adapter.ts'
import { lastSession } from '../../adapters/last-session.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'

/**
 * Returns the command that continues the last conversation of a terminal in a cell. The command that the CLI prints would run on the
 * host, without a cell. Empty if the session is not in the private home, where the next cell would find it.
 */
export function resumeLines(agent: AgentAdapter | null, { home }: CellSpec, startedAt: string, hasOptions: boolean): readonly string[] {
  if (agent?.sessions === undefined || home.kind !== 'persistent') return []
  const args = lastSession(agent.sessions, home.path, Date.parse(startedAt))
  const command = `paddock run ${hasOptions ? 'OPTIONS ' : ''}${agent.name}`
  return args === null ? [] : [`continue with: ${command} ${args.join(' ')}${hasOptions ? ' (with the OPTIONS of this run)' : ''}`]
}
