import type { AgentAdapter } from '../../adapters/adapter.ts'
import { adapterFor, adapterNames } from '../../adapters/find-adapter.ts'
import type { KeyPath } from '../../config/key-path.ts'
import type { RoleConfig } from './contest-schema.ts'

/** Reports the keys of what a participant brings that have no effect with its agent. */
export function problemsOfBrought(role: RoleConfig, at: (key: string) => KeyPath, say: (path: KeyPath, message: string) => void): void {
  const { agent, command = [] } = role
  if (!adapterNames.includes(agent)) return
  const adapter = adapterFor(agent, command)
  for (const key of keys) if (role[key] !== undefined && !takes(role, adapter, key)) say(at(key), refusal(role, adapter, key))
}

const keys = ['skills', 'instructions', 'mcp', 'config', 'program'] as const
type Key = (typeof keys)[number]

function takes({ agent }: RoleConfig, adapter: AgentAdapter, key: Key): boolean {
  if (key === 'program') return agent !== 'acp' && adapter.takesCommand !== true
  if (key === 'mcp') return agent === 'acp' || adapter.usesMcp === true
  return adapter.reads !== undefined
}

function refusal({ name, agent }: RoleConfig, { takesCommand }: AgentAdapter, key: Key): string {
  if (key === 'program') return `is not for ${name}: the agent ${agent} has its program in command`
  const what = { skills: 'skills', instructions: 'instructions', mcp: 'MCP servers', config: 'settings' }[key]
  return `is not for ${name}: Paddock does not know where ${takesCommand === true ? 'its command' : `the agent ${agent}`} reads ${what}`
}
