import { mkdir } from 'node:fs/promises'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { own } from '../../files/directory-owner.ts'
import { takeLock } from '../../files/lock.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { type Contest, readContest } from '../config/brief.ts'
import { refuseProblems } from '../config/problems-error.ts'
import { refuseUntouched } from '../config/untouched.ts'
import { homeInWorkspace } from '../run/home-in-workspace.ts'
import { missingPrograms } from '../run/missing-programs.ts'
import { allCells, type CellsAhead } from '../stages/cells-ahead.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock } from '../state/contest-lock.ts'
import { scratchOf } from '../state/scene.ts'
import { parallelByMachine, slotsOf } from '../state/slots.ts'
import { advice } from './advice.ts'
import type { Finding } from './lint-finding.ts'
import { lostAtSealing } from './lost.ts'
import { type TriedCheck, tryChecks } from './try-checks.ts'

export interface LintResult {
  readonly schemaVersion: 1
  readonly contest: string
  /** The findings in the order of contest.yaml, faults first. */
  readonly findings: readonly Finding[]
  /** The number of cells from start to report, if every participant delivers. */
  readonly cells: CellsAhead
  /** The checks that were tried; null: no check was tried. */
  readonly tried: readonly TriedCheck[] | null
}

export interface LintOptions {
  /** Runs the checks, but no agent. */
  readonly try?: boolean
  /** The maximum number of cells at the same time; overrides contest.yaml. */
  readonly parallel?: number
  readonly ended?: (check: TriedCheck) => void
}

/** Returns the findings about the files of a contest. Throws BAD_INPUT for a contest that `contest run` would not accept. */
export async function lintFiles(contest: Contest, deps: Pick<ContestDeps, 'programs' | 'paths'>, isTried = false): Promise<Finding[]> {
  refuseUntouched(contest)
  refuseProblems([...missingPrograms(contest, () => true, deps), ...homeInWorkspace(contest, deps)], contest.source)
  return inOrder([...(await lostAtSealing(contest, !isTried)), ...advice(contest.config, findAdapter)])
}

/**
 * `contest lint`: finds faults and possible improvements of a contest before it costs money. Throws BAD_INPUT for a contest that
 * `contest run` would not accept; with `try`, BUSY while another process works on the contest, CANCELLED after `deps.signal`.
 */
export async function lintContest(directory: string, deps: ContestDeps, options: LintOptions = {}): Promise<LintResult> {
  const contest = await readContest(directory)
  const said = await lintFiles(contest, deps, options.try === true)
  const { config, layout } = contest
  const about = { schemaVersion: 1, contest: config.name, cells: allCells(config) } as const
  if (options.try !== true) return { ...about, findings: said, tried: null }
  if (config.checks.length === 0)
    throw new PaddockError('BAD_INPUT', 'contest.yaml, checks: The list is empty, so there is nothing to try.', {
      hint: 'Leave --try out, or add a check',
    })
  using _lock = await takeLock({
    file: await contestLock(layout, deps.paths),
    what: `The contest in ${layout.root}`,
    command: 'paddock contest lint --try',
  })
  const scratch = scratchOf(deps, layout.root)
  await removeTree(scratch)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  try {
    await own(scratch)
    const parallel = options.parallel ?? config.parallel ?? parallelByMachine(deps.machine)
    const { tried, findings } = await tryChecks(
      { contest, deps, slots: slotsOf({ cells: parallel }), scratch },
      options.ended ?? (() => {}),
    )
    deps.signal.throwIfAborted()
    return { ...about, findings: inOrder([...findings, ...said]), tried }
  } finally {
    await removeTree(scratch).catch(() => {})
  }
}

/** Returns faults first. */
function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => Number(a.level !== 'fault') - Number(b.level !== 'fault'))
}
