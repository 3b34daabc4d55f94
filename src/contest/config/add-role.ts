import { messageOf, PaddockError } from '../../base/errors.ts'
import { asLine, insertYaml } from '../../config/yaml-insert.ts'
import { parseContest } from './brief.ts'
import type { RoleConfig } from './contest-schema.ts'

export type RoleGroup = 'participants' | 'judges'

/**
 * Returns a contest.yaml with one more participant or judge after the existing ones. Every other byte stays the same (`insertYaml`).
 * @throws PaddockError BAD_INPUT if the entry would make the contest invalid, or if there is no place to insert it
 */
export function withRole(text: string, group: RoleGroup, role: RoleConfig): string {
  const changed = insertYaml(text, [group], [role])
  if (changed === null)
    throw new PaddockError('BAD_INPUT', `contest.yaml, ${group}: there is no simple place for one more.`, {
      hint: `Add it by hand: ${asLine(role)}`,
    })
  try {
    parseContest(changed)
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    throw new PaddockError('BAD_INPUT', `${role.name} cannot be added: ${messageOf(error)}`, { cause: error })
  }
  return changed
}
