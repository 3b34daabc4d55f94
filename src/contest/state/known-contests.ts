import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'

/** A contest or suite that this Paddock worked on. */
export interface KnownContest {
  /** The real path of its directory. */
  readonly root: string
  /** The repository or collection that its briefs were made from, which may contain solutions. Absent: not known. */
  readonly from?: string
}

const fileOf = (state: string): string => path.join(state, 'contests', 'known.jsonl')

/** Returns the contests and suites that this Paddock worked on. Some may no longer exist. `state`: Paddock's state directory. */
export function knownContests(state: string): readonly KnownContest[] {
  try {
    return readFileSync(fileOf(state), 'utf8').split('\n').flatMap(contestIn)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return []
    throw error
  }
}

/** Adds a contest to `knownContests`, if it is new. Throws the system's error. */
export function noteContest(state: string, contest: KnownContest): void {
  const { root, from } = contest
  if (knownContests(state).some((each) => each.root === root && each.from === from)) return
  mkdirSync(path.dirname(fileOf(state)), { recursive: true, mode: 0o700 })
  appendFileSync(fileOf(state), `${JSON.stringify(contest)}\n`, { mode: 0o600 })
}

/** Returns the contest in a line; none if the line is incomplete, because another process is writing it. */
function contestIn(line: string): readonly KnownContest[] {
  try {
    const { root, from } = JSON.parse(line) as Partial<Record<'root' | 'from', unknown>>
    if (typeof root !== 'string') return []
    return [typeof from === 'string' ? { root, from } : { root }]
  } catch {
    return []
  }
}
