import { vendorAdapters } from '../adapters/find-adapter.ts'
import { presetNames } from '../egress/policy/presets.ts'
import type { Known } from './read-config.ts'

const agents = vendorAdapters.map(({ name }) => name)
/** The names that a configuration can use. */
export const knownNames: Known = { agents, presets: [...presetNames, ...agents] }
