import { hash } from 'node:crypto'
import type { Contest } from '../config/brief.ts'
import type { Role } from './progress.ts'

/** The SHA-256 of each text that a participant or judge gets, by the name of the text in messages. */
export type Given = Readonly<Record<string, string>>

/** Returns the hashes of the texts that the participants or the judges of a contest currently get. */
export function givenTo(
  role: Exclude<Role, 'reviewer'>,
  { brief, judgeBrief, config }: Pick<Contest, 'brief' | 'judgeBrief' | 'config'>,
): Given {
  const own = role === 'participant' ? {} : { 'JUDGE_BRIEF.md': judgeBrief ?? '', 'the rubric': JSON.stringify(config.rubric ?? null) }
  return Object.fromEntries(Object.entries({ 'BRIEF.md': brief, ...own }).map(([name, text]) => [name, hash('sha256', text)]))
}

/** Returns the names of the texts that have changed; empty if an earlier version did not record the hashes. */
export function changedSince(before: Given | undefined, now: Given): readonly string[] {
  return before === undefined ? [] : Object.keys(now).filter((name) => before[name] !== now[name])
}
