import type { Job } from '../store/job-records.ts'
import type { JobResult } from './job.ts'

type Changes = NonNullable<JobResult['changes']>

/** The result of a job as lists have it. `text` is the start of the answer, and the lists in `changes` are cut. */
export interface ListedResult extends JobResult {
  /** The number of files in `changes` before it was cut. */
  readonly files: number
  readonly isShort: boolean
}

/** A job as lists have it. */
export interface ListedJob extends Omit<Job, 'result'> {
  readonly result: ListedResult | null
}

/** The most characters of a text, and the most entries of each list. */
const [longestText, mostEntries] = [1_000, 20]

export function wholeResult(result: JobResult): ListedResult {
  return { ...result, files: filesIn(result.changes), isShort: false }
}

/** Returns a result of bounded size for lists, because a page has up to 200 of them. */
export function listedResult(result: JobResult): ListedResult {
  const { text, changes, notes } = result
  let isShort = text.length > longestText
  const first = <T>(list: readonly T[]): T[] => {
    if (list.length > mostEntries) isShort = true
    return list.slice(0, mostEntries)
  }
  const short: Changes | null = changes && {
    ...changes,
    created: first(changes.created),
    modified: first(changes.modified),
    deleted: first(changes.deleted),
    renamed: first(changes.renamed),
    runsLater: first(changes.runsLater),
    git: first(changes.git).map((each) => ({ ...each, commits: first(each.commits) })),
  }
  const cut = { text: text.slice(0, longestText).toWellFormed(), changes: short, notes: first(notes) }
  return { ...result, ...cut, files: filesIn(changes), isShort }
}

function filesIn(changes: Changes | null): number {
  if (changes === null) return 0
  return [changes.created, changes.modified, changes.deleted, changes.renamed].reduce((sum, each) => sum + each.length, 0)
}
