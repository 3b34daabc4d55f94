import type { Ask } from '../../run/run-asks.ts'
import type { Brought } from './brought.ts'
import type { RoleConfig } from './contest-schema.ts'

/**
 * Returns what a participant brings that runs beside its login, or instead of the program that the user installed. Code is named with its
 * hash, so that other code needs consent again. Texts for the agent are like the brief, and need no consent.
 */
export function broughtAsks({ program, mcp = {}, config }: RoleConfig, brought: Brought | undefined): readonly Ask[] {
  return [
    ...(brought?.skills ?? []).map(({ name, sha256 }) => ({ key: 'skills', value: `${name} (sha256 ${sha256})` })),
    ...Object.entries(mcp).map(([name, server]) => ({ key: `mcp.${name}`, value: JSON.stringify(server) })),
    ...(config === undefined ? [] : [{ key: 'config', value: JSON.stringify(config) }]),
    ...(brought?.files == null ? [] : [{ key: 'files', value: `with its programs (sha256 ${brought.files})` }]),
    ...(program === undefined ? [] : [{ key: 'program', value: program }]),
  ]
}
