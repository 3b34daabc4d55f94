import { PaddockError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { acpOf } from './acp/adapter.ts'
import type { AgentAdapter } from './adapter.ts'
import * as agents from './agent-names.ts'

export const adapters: readonly AgentAdapter[] = Object.values(agents)

export const adapterNames: readonly string[] = adapters.map((adapter) => adapter.name)

/** The adapters for one program each, which may be installed. */
export const vendorAdapters: readonly AgentAdapter[] = adapters.filter((adapter) => adapter.takesCommand !== true)

/** Returns the adapter for an agent and its command line or extra arguments. Throws `BAD_INPUT` like `findAdapter`. */
export function adapterFor(agent: string, words: readonly string[]): AgentAdapter {
  const adapter = findAdapter(agent)
  return adapter.name === 'acp' ? acpOf(words, vendorAdapters) : adapter
}

/** Returns the adapter of that name. Throws `BAD_INPUT` with the nearest known name. */
export function findAdapter(name: string): AgentAdapter {
  const found = adapters.find((adapter) => adapter.name === name)
  if (found) return found
  const near = nearest(name, adapterNames)
  throw new PaddockError('BAD_INPUT', `There is no agent "${name.slice(0, 100)}".`, {
    hint: near === null ? `Use one of: ${adapterNames.join(', ')}` : `Did you mean ${near}? The agents are ${adapterNames.join(', ')}`,
  })
}
