import type { Applied } from '../../copy/applying/apply-changes.ts'
import type { Scan } from '../../copy/reviewing/scan.ts'

/** Returns the result of an apply, one line per path. */
export function appliedLines(applied: Applied): readonly string[] {
  return [
    ...applied.written.map((each) => `wrote    ${each}`),
    ...applied.deleted.map((each) => `deleted  ${each}`),
    ...applied.same.map((each) => `same     ${each}`),
  ]
}

/** Returns lines about the git commit, the changes that remain in the copy, and the copy itself. */
export function endLines(end: {
  readonly applied: Applied
  readonly committed: boolean | null
  /** Number of changes that were not chosen. */
  readonly left: number
  readonly scan: Pick<Scan, 'leftOut' | 'leftOutCount' | 'ignoredCount'>
  readonly isKept: boolean
  readonly id: string
}): readonly string[] {
  const { applied, committed, left, isKept, id } = end
  const lines: string[] = []
  if (appliedLines(applied).length === 0) lines.push('there was nothing to apply')
  if (committed === false) lines.push('the files are in the project, and git did not commit them')
  if (left > 0) lines.push(`${left} other change${left === 1 ? ' is' : 's are'} left in copy ${id}`)
  const still = stillThere(end.scan)
  if (still !== null) lines.push(`still in copy ${id} and not in the project: ${still}; deleted with it by: paddock discard ${id}`)
  else if (left === 0)
    lines.push(isKept ? `copy ${id} is kept; delete it with: paddock discard ${id}` : `copy ${id} is deleted; everything is in the project`)
  return lines
}

/** Returns a list of the paths that an apply never takes; null if the copy has no such paths. */
function stillThere({ leftOut, leftOutCount, ignoredCount }: Pick<Scan, 'leftOut' | 'leftOutCount' | 'ignoredCount'>): string | null {
  const parts = leftOut.slice(0, 5).map((each) => `${each.path} (${each.why})`)
  if (leftOutCount > parts.length) parts.push(`${leftOutCount - parts.length} more that were left out`)
  if (ignoredCount > 0) parts.push(`${ignoredCount} new file${ignoredCount === 1 ? '' : 's'} that git ignores`)
  return parts.length === 0 ? null : parts.join(', ')
}
