import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../../../base/errors.ts'
import type { CellSpec } from '../../../cell/plan/spec.ts'
import { own } from '../../../files/directory-owner.ts'
import { readRegular } from '../../../files/read-regular.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { openLog } from '../../../run/capture.ts'
import { submissionCell, verifyCell } from '../../checks/check-cells.ts'
import { refuseIfLacking } from '../../checks/host-lack.ts'
import { takeResult } from '../../checks/take-result.ts'
import type { Contest } from '../../config/brief.ts'
import type { CheckConfig } from '../../config/contest-schema.ts'
import { startContestCell } from '../../run/contest-cell.ts'
import { copyStart } from '../../run/start/copy-start.ts'
import type { ContestDeps } from '../../state/contest-deps.ts'

const maxLogBytes = 1024 ** 2
const maxListBytes = 32 * 1024 ** 2
const listSchema = z.object({
  problem: z.string().nullable(),
  outcomes: z.record(z.string(), z.enum(['passed', 'failed', 'skipped'])),
})

export interface TryScene {
  readonly contest: Pick<Contest, 'config' | 'layout' | 'root' | 'masks' | 'raw'>
  readonly check: CheckConfig
  readonly format: string
  readonly deps: Pick<ContestDeps, 'startCell' | 'signal' | 'now' | 'paths'>
  /** A host directory for temporary files of this commit. */
  readonly scratch: string
}

/** The outcome of each test of a run, by id. `last`: the last line of its output, for a run without a report. */
export interface TestRun {
  readonly outcomes: ReadonlyMap<string, string>
  readonly last: string
}

/** Runs the tests of a check on a tree, in a cell, and reads their report in another one, as the check will. */
export async function runTests({ contest, check, format, deps, scratch }: TryScene, tree: string): Promise<TestRun> {
  const [copy, left, sealed, result, list] = ['submission', 'left', 'sealed', 'result', 'list'].map((each) => path.join(scratch, each)) as [
    string,
    string,
    string,
    string,
    string,
  ]
  await removeTree(scratch)
  for (const each of [scratch, left, list]) await mkdir(each, { recursive: true, mode: 0o700 })
  await own(scratch)
  await using log = await openLog(path.join(scratch, 'output.log'), maxLogBytes)
  await copyStart(tree, copy)
  const run = async (spec: CellSpec): Promise<number | null> => {
    const cell = await startContestCell(contest, deps, spec, { stdin: 'none' })
    const [{ ending }] = await Promise.all([cell.done, log.drain(cell.stdout), log.drain(cell.stderr)])
    deps.signal.throwIfAborted()
    if (ending.kind === 'start-failed') {
      refuseIfLacking(new Error(ending.message), spec.name)
      throw new PaddockError('CELL_FAILED', `${spec.name}: ${ending.message}`)
    }
    return ending.kind === 'exited' ? ending.code : null
  }
  const none = (last: string): TestRun => ({ outcomes: new Map(), last })
  const out = { source: left, target: '/result', access: 'rw', reason: 'contest' } as const
  const exit = await run(await submissionCell(contest, check, { name: 'the tests of a commit', command: check.run ?? '', copy, out }))
  const last = log.tail().trim().split('\n').at(-1)?.slice(0, 200) ?? ''
  if (exit === null) return none('the time or another limit was reached')
  const refused = await takeResult({ copy, left, sealed, result }, { now: deps.now(), scratch: path.join(scratch, 'sealing') })
  if (refused !== null) return none(refused)
  const command = ['node', '/check/test-report.mjs', 'list', format, '/result', '/reward/list.json']
  await run(verifyCell(contest, check, { name: 'the report of the tests', command, result, reward: list, exit: String(exit) }))
  const read = await readRegular(path.join(list, 'list.json'), maxListBytes)
  if (!read.ok) return none(last)
  const parsed = listSchema.safeParse(JSON.parse(read.bytes.toString('utf8')))
  if (!parsed.success) return none(last)
  const { problem, outcomes } = parsed.data
  return { outcomes: problem === null ? new Map(Object.entries(outcomes)) : new Map(), last: last === '' ? (problem ?? '') : last }
}
