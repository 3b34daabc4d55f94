import { hash } from 'node:crypto'
import type { Contest } from '../config/brief.ts'
import type { Role } from './progress.ts'

/** SHA-256 of each text that a participant or judge is given, by its name in messages. */
export type Given = Readonly<Record<string, string>>

/** Returns the hashes of the texts that a contest currently gives its participants or its judges. */
export function givenTo(
  role: Exclude<Role, 'reviewer'>,
  { brief, judgeBrief, config }: Pick<Contest, 'brief' | 'judgeBrief' | 'config'>,
): Given {
  const own = role === 'participant' ? {} : { 'JUDGE_BRIEF.md': judgeBrief ?? '', 'the rubric': JSON.stringify(config.rubric ?? null) }
  return Object.fromEntries(Object.entries({ 'BRIEF.md': brief, ...own }).map(([name, text]) => [name, hash('sha256', text)]))
}

/** Returns the names of the texts that have changed; none if an earlier version did not record the hashes. */
export function changedSince(before: Given | undefined, now: Given): readonly string[] {
  return before === undefined ? [] : Object.keys(now).filter((name) => before[name] !== now[name])
}
