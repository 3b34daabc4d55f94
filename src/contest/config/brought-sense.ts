import type { AgentAdapter } from '../../adapters/adapter.ts'
import { adapterFor, adapterNames } from '../../adapters/find-adapter.ts'
import type { KeyPath } from '../../config/key-path.ts'
import type { RoleConfig } from './contest-schema.ts'

/** Reports the keys of what a participant brings that have no effect with its agent. */
export function problemsOfBrought(role: RoleConfig, at: (key: string) => KeyPath, say: (path: KeyPath, message: string) => void): void {
  const { agent, command = [] } = role
  if (!adapterNames.includes(agent)) return
  const adapter = adapterFor(agent, command)
  for (const key of ['skills', 'instructions', 'program'] as const)
    if (role[key] !== undefined && !takes(adapter, key)) say(at(key), refusal(role, adapter, key))
}

type Key = 'skills' | 'instructions' | 'program'

function takes(adapter: AgentAdapter, key: Key): boolean {
  return key === 'program' ? adapter.takesCommand !== true : adapter.reads !== undefined
}

function refusal({ name, agent }: RoleConfig, { takesCommand }: AgentAdapter, key: Key): string {
  if (key === 'program') return `is not for ${name}: the agent ${agent} has its program in command`
  return takesCommand === true
    ? `is not for ${name}: Paddock does not know where its command reads ${key}`
    : `is not for ${name}: Paddock does not know where the agent ${agent} reads ${key}`
}
