import { PaddockError } from '../../base/errors.ts'
import { safeName } from '../../files/safe-name.ts'
import type { RoleConfig } from '../config/contest-schema.ts'

/** A participant or judge to add, as the user describes it. */
export interface RoleWish {
  /** The name and the agent, as `NAME=AGENT`. */
  readonly who: string
  readonly model?: string
  readonly family?: string
  /** A directory next to contest.yaml. */
  readonly files?: string
  /** The command, only for the agent `command`. */
  readonly command?: readonly string[]
}

/** Returns a wish as an entry of contest.yaml. Throws BAD_INPUT with `place` in the message. */
export function roleFrom({ who, model, family, files, command = [] }: RoleWish, place: string): RoleConfig {
  const [, name = '', agent = ''] = /^([^=]*)=(.+)$/.exec(who) ?? []
  if (name === '' || agent === '')
    throw new PaddockError('BAD_INPUT', `${place} ${who}: it must be NAME=AGENT.`, { hint: 'For example: reviewer=claude' })
  return {
    name: safeName(name, place),
    agent,
    ...(model === undefined ? {} : { model }),
    ...(family === undefined ? {} : { family }),
    ...(command.length === 0 ? {} : { command: [...command] }),
    ...(files === undefined ? {} : { files }),
  }
}
