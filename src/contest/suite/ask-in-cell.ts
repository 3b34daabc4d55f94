import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { ContestDeps } from '../state/contest-deps.ts'

/** A question to the programs of this machine, as cells see them. */
export interface Question {
  readonly name: string
  /** A command line for /bin/sh. */
  readonly script: string
  readonly mounts?: CellSpec['mounts']
}

/** Returns the cell for a question: without network and without a project, for at most a minute. */
export function cellOf({ name, script, mounts = [] }: Question): CellSpec {
  return {
    name,
    command: ['/bin/sh', '-c', script],
    cwd: '/',
    mounts,
    masks: [],
    files: [],
    home: { kind: 'temporary' },
    env: {},
    pathEntries: [],
    egress: { mode: 'off' },
    limits: { timeout: 60_000 },
    terminal: false,
    degraded: [],
  }
}

/** Asks a question in a cell, and returns how the cell ended. Its output is dropped. */
export async function askInCell(
  question: Question,
  { startCell, signal }: Pick<ContestDeps, 'startCell' | 'signal'>,
): Promise<CellReport['ending']> {
  const cell = await startCell(cellOf(question), { stdin: 'none' }, signal)
  cell.stdout.resume()
  cell.stderr.resume()
  return (await cell.done).ending
}
