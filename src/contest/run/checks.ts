import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import type { CellSpec, MountWish } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import { messageOf, redact } from '../../errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { formatDuration } from '../../quantities.ts'
import { openLog } from '../../run/capture.ts'
import { exitText } from '../../run/exit-text.ts'
import { ownNode } from '../../run/own-node.ts'
import type { CheckConfig } from '../config/schema.ts'
import { deliveredSubmissions, type Submission } from '../seal/delivered.ts'
import { unseal } from '../seal/unseal.ts'
import { type Scene, tell } from '../state/scene.ts'
import { commandMissing } from './command-missing.ts'
import { pool } from './pool.ts'

export const checkResultSchema = z.strictObject({
  name: z.string(),
  weight: z.number(),
  /** `could-not-run` is nobody's fault and counts for nothing. */
  result: z.enum(['passed', 'failed', 'could-not-run']),
  /** Why it did not pass; null where it did. */
  why: z.string().nullable(),
  exitCode: z.int().nullable(),
  durationMs: z.number(),
  /** The newest 4,000 characters of what it printed. */
  output: z.string(),
})
const checksSchema = z.strictObject({ schemaVersion: z.literal(1), tree: z.string(), checks: z.array(checkResultSchema) })
export type CheckResult = z.output<typeof checkResultSchema>

const defaultTimeoutMs = 60_000
const outputLength = 4000
const maxCheckLog = 4 * 1024 * 1024

/** Runs all checks on all sealed submissions that were not checked yet. */
export async function runChecks(scene: Scene): Promise<void> {
  const { contest, journal, deps } = scene
  const submissions = (await deliveredSubmissions(scene)).filter((each) => journal.participant(each.participant).state === 'sealed')
  if (submissions.length === 0) return
  const { checks } = contest.config
  if (checks.length > 0)
    await tell(scene, { type: 'step', step: 'checks', total: submissions.length * checks.length, open: submissions.length * checks.length })
  await pool(submissions, scene.parallel, deps.signal, async (submission) => {
    const results: CheckResult[] = []
    for (const check of checks) {
      const result = await runCheck(scene, submission, check)
      if (deps.signal.aborted) return
      results.push(result)
      await tell(scene, {
        type: 'checked',
        name: submission.participant,
        check: check.name,
        result: result.result,
        why: result.why,
        durationMs: result.durationMs,
      })
    }
    const { round } = journal.status
    await writeJson(contest.layout.sealed(round, submission.participant).checks, {
      schemaVersion: 1,
      tree: submission.seal.tree,
      checks: results,
    })
    await journal.setParticipant(submission.participant, { state: 'checked' })
  })
}

/** The results of the checks of one sealed submission; none where there is no file of them. */
export async function readChecks(file: string): Promise<readonly CheckResult[]> {
  try {
    return checksSchema.parse(JSON.parse(await readFile(file, 'utf8'))).checks
  } catch {
    return []
  }
}

async function runCheck(scene: Scene, submission: Submission, check: CheckConfig): Promise<CheckResult> {
  const { deps } = scene
  const work = path.join(scene.scratch, 'checks', submission.participant, check.name)
  const copy = path.join(work, 'submission')
  await removeTree(work)
  try {
    await unseal(submission.sealed, submission.seal, copy)
    await using log = await openLog(path.join(work, 'output.log'), maxCheckLog)
    const cell = await deps.startCell(specOf(scene, submission, check, copy), { stdin: 'none' }, deps.signal)
    const [report] = await Promise.all([cell.done, log.drain(cell.stdout), log.drain(cell.stderr)])
    return {
      name: check.name,
      weight: check.weight,
      ...verdict(report),
      durationMs: report.durationMs,
      output: redact(escapeOutput(log.tail())),
    }
  } catch (error) {
    return {
      name: check.name,
      weight: check.weight,
      result: 'could-not-run',
      why: messageOf(error),
      exitCode: null,
      durationMs: 0,
      output: '',
    }
  } finally {
    await removeTree(work)
  }
}

function specOf({ contest }: Scene, submission: Submission, check: CheckConfig, copy: string): CellSpec {
  const { layout, config } = contest
  const mounts: MountWish[] = [{ source: copy, target: '/submission', access: 'rw', reason: 'contest' }, ownNode.mount]
  if (contest.raw !== null) mounts.push({ source: contest.raw, target: '/contest/raw', access: 'ro', reason: 'contest' })
  if (check.files !== undefined)
    mounts.push({ source: path.join(layout.root, check.files), target: '/check', access: 'ro', reason: 'contest' })
  return {
    name: `check ${check.name} of ${submission.participant}`,
    command: typeof check.command === 'string' ? ['/bin/sh', '-c', check.command] : check.command,
    cwd: '/submission',
    mounts,
    masks: contest.masks,
    files: [],
    home: { kind: 'temporary' },
    env: {},
    pathEntries: [ownNode.pathEntry],
    egress: { mode: 'off' },
    limits: { timeout: check.timeout ?? config.timeouts.check ?? defaultTimeoutMs },
    terminal: false,
    degraded: [],
  }
}

function verdict(report: CellReport): Pick<CheckResult, 'result' | 'why' | 'exitCode'> {
  const { ending } = report
  const failed = (why: string, exitCode: number | null = null) => ({ result: 'failed' as const, why, exitCode })
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0
        ? { result: 'passed', why: null, exitCode: 0 }
        : failed(commandMissing(ending.code) ?? `exit code ${exitText(ending.code)}`, ending.code)
    case 'out-of-time':
      return failed(`not done after ${formatDuration(report.durationMs)}`)
    case 'start-failed':
      return { result: 'could-not-run', why: ending.message, exitCode: null }
    case 'cancelled':
      return { result: 'could-not-run', why: 'stopped on request', exitCode: null }
    default:
      return failed(ending.kind.replaceAll('-', ' '))
  }
}

function escapeOutput(text: string): string {
  // The end of an output has lines and colours that would be noise as visible escapes, so control characters are left out.
  return text.replace(/[^\P{Cc}\n\t]/gu, '').slice(-outputLength)
}
