import type { Posture } from '../base/posture.ts'
import type { Guarantee } from './guarantee.ts'
import type { RecordedRun } from './recorded-runs.ts'

/** A result of recorded runs. `not enforceable`: this machine lacks something. `not run`: no run has tried it. */
export type MatrixCell = 'held' | 'broken' | 'not enforceable' | 'not promised' | 'not run'

/** The runs of one isolation level, one backend and one kind of user, the newest first; none if it was never tried. */
export interface MatrixColumn {
  readonly posture: Posture
  readonly backend: string
  readonly user: RecordedRun['user'] | null
  readonly runs: readonly RecordedRun[]
}

export interface RecordedMatrix {
  readonly columns: readonly MatrixColumn[]
  /** The cells of a row have the order of the columns. */
  readonly rows: readonly { readonly id: string; readonly cells: readonly MatrixCell[] }[]
}

/**
 * Returns what recorded runs found, with a column for each level, backend and kind of user. `also`: levels of a backend that have a column
 * even if no run tried them.
 */
export function recordedMatrix(
  guarantees: readonly Pick<Guarantee, 'id' | 'notAt'>[],
  runs: readonly RecordedRun[],
  also: readonly Pick<MatrixColumn, 'posture' | 'backend'>[] = [],
): RecordedMatrix {
  const tried = [...Map.groupBy(runs, (each) => `${each.posture} ${each.backend} ${each.user}`).values()].flatMap((of) =>
    of[0] === undefined ? [] : [{ posture: of[0].posture, backend: of[0].backend, user: of[0].user, runs: of }],
  )
  const untried = also
    .filter(({ posture, backend }) => !tried.some((each) => each.posture === posture && each.backend === backend))
    .map(({ posture, backend }) => ({ posture, backend, user: null, runs: [] }))
  const columns = [...tried, ...untried].toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  return { columns, rows: guarantees.map((each) => ({ id: each.id, cells: columns.map((column) => cellOf(each, column)) })) }
}

const nameOf = ({ posture, backend, user }: MatrixColumn): string => [posture, backend, user ?? ''].join(' ')

/** Returns the result for a guarantee at a level: the worst of those of its runs under each egress policy. */
export function cellOf(
  { id, notAt }: Pick<Guarantee, 'id' | 'notAt'>,
  { posture, runs }: Pick<MatrixColumn, 'posture' | 'runs'>,
): MatrixCell {
  if (notAt?.includes(posture) === true) return 'not promised'
  const found = runs.map(({ statuses }) => statuses[id])
  if (found.includes('broken')) return 'broken'
  if (found.includes('unenforceable')) return 'not enforceable'
  return found.includes('held') ? 'held' : 'not run'
}
