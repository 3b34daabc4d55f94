import { withoutBareHost } from '../../base/cell-place.ts'
import { guarantees } from '../../guarantees/chapters.ts'
import { type MatrixColumn, recordedMatrix } from '../../guarantees/recorded-matrix.ts'
import { type RecordedRun, recordedRuns } from '../../guarantees/recorded-runs.ts'
import { openCliHost } from '../open-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

/** `paddock verify --recorded`: shows what the last whole runs of `paddock verify` found on this machine, and starts nothing. */
export function recordedVerify(): Answer<Result<'verify --recorded'>> {
  using host = openCliHost()
  const builders = withoutBareHost(host.backends)
  const { columns, rows } = recordedMatrix(
    guarantees,
    recordedRuns(host.paths.state),
    builders.flatMap(({ name, postures }) => postures.map((posture) => ({ posture, backend: name }))),
  )
  const widest = Math.max(...rows.map(({ id }) => id.length))
  const widths = columns.map((each) => Math.max(headOf(each).length, 'not enforceable'.length))
  const line = (name: string, cells: readonly string[]): string =>
    [name.padEnd(widest), ...cells.map((each, index) => each.padEnd(widths[index] ?? 0))].join('  ').trimEnd()
  return {
    data: {
      schemaVersion: 1,
      columns: columns.map(({ posture, backend: by, user, runs }) => ({ posture, backend: by, user, runs: runs.map(shownRun) })),
      matrix: rows,
    },
    lines: [
      ...columns.flatMap((each) => [
        headOf(each),
        ...each.runs.map((run) => `  ${runLine(run)}`),
        ...(each.runs.length === 0 ? never(each) : []),
      ]),
      '',
      line('guarantee', columns.map(headOf)),
      ...rows.map(({ id, cells }) => line(id, cells)),
    ],
  }
}

const headOf = ({ posture, backend, user }: MatrixColumn): string => [posture, backend, ...(user === null ? [] : [user])].join(' ')

const never = ({ posture }: MatrixColumn): string[] => [`  never verified here: paddock verify --posture ${posture}`]

type ShownRun = Pick<RecordedRun, 'egress' | 'at' | 'version' | 'backendVersion' | 'system'>

const shownRun = ({ egress, at, version, backendVersion, system }: RecordedRun): ShownRun => ({
  egress,
  at,
  version,
  backendVersion,
  system,
})

const runLine = ({ at, egress, version, backendVersion, system }: RecordedRun): string =>
  [at.slice(0, 10), `egress ${egress}`, `paddock ${version}`, ...(backendVersion === '' ? [] : [backendVersion]), system].join(' · ')
