import { PaddockError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { AgentAdapter } from './adapter.ts'
import * as agents from './agents.ts'

export const adapters: readonly AgentAdapter[] = Object.values(agents)

export const adapterNames: readonly string[] = adapters.map((adapter) => adapter.name)

/** The adapter of that name. Throws `BAD_INPUT` with the nearest known name. */
export function findAdapter(name: string): AgentAdapter {
  const found = adapters.find((adapter) => adapter.name === name)
  if (found) return found
  const near = nearest(name, adapterNames)
  throw new PaddockError('BAD_INPUT', `there is no agent "${name.slice(0, 100)}"`, {
    hint: near === null ? `the agents are ${adapterNames.join(', ')}` : `did you mean ${near}? The agents are ${adapterNames.join(', ')}`,
  })
}
