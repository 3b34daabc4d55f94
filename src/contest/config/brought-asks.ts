import type { Ask } from '../../run/run-asks.ts'
import type { Brought } from './brought.ts'
import type { RoleConfig } from './contest-schema.ts'

/**
 * Returns what a participant brings that runs beside its login, or instead of the program that the user installed. Code is named with its
 * hash, so that other code needs consent again. Texts for the agent are like the brief, and need no consent.
 */
export function broughtAsks({ program }: RoleConfig, brought: Brought | undefined): readonly Ask[] {
  return [
    ...(brought?.skills ?? []).map(({ name, sha256 }) => ({ key: 'skills', value: `${name} (sha256 ${sha256})` })),
    ...(program === undefined ? [] : [{ key: 'program', value: program }]),
  ]
}
