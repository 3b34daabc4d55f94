import { mkdir } from 'node:fs/promises'
import { noSummary, type RunSummary } from '../../adapters/output/run-summary.ts'
import type { Cell } from '../../cell/cell.ts'
import type { CellReport } from '../../cell/report.ts'
import { messageOf, PaddockError } from '../../errors.ts'
import { writeJson } from '../../files/atomic.ts'
import type { Host } from '../../host.ts'
import { openLog } from '../../run/capture.ts'
import { type HeadlessOutput, headless } from '../../run/headless.ts'
import { cancelled, type RunOutcome, runOutcome, startFailed } from '../../run/outcome.ts'
import { type PreparedRun, prepare } from '../../run/prepare.ts'
import type { AgentData, JobData } from '../data-directory.ts'
import type { JobResult } from '../jobs/job.ts'
import { manifestRequest } from '../manifest/request.ts'
import type { PlacedWorkspace } from '../workspace/placed-workspace.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { type EndedJob, jobResult } from './job-result.ts'
import type { ToHost } from './protocol.ts'
import { openTranscript, type Transcript } from './transcript.ts'
import { reportingApprover } from './waiting.ts'

/** One job as the server asks for it. */
export type JobOrder = Omit<Extract<ToHost, { type: 'run' }>, 'type'>

export interface JobMeans {
  readonly data: AgentData
  /** Opened with the first job. */
  readonly host: () => Promise<Host>
  readonly now: () => Date
  /** Aborted to cancel: the start, or the cell. */
  readonly signal: AbortSignal
  readonly hooks: JobHooks
}

/** What is told of a job while it runs. */
export interface JobHooks {
  /** Its transcript has grown to so many events. */
  wrote(events: number): void
  /** A question of its cell waits for a human, or none does any more. */
  waiting(isWaiting: boolean): void
}

/** How one job went. */
type JobEnd = Pick<EndedJob, 'outcome' | 'summary' | 'report' | 'copy'>

/**
 * Runs one job to its end and returns how it ended; nothing of its cell is left then. Transcript, logs and the report of the cell are written
 * beside it, the result is the caller's to write. Never rejects: whatever keeps the job from running is its outcome.
 */
export async function runJob(order: JobOrder, means: JobMeans): Promise<JobResult> {
  const { now, signal } = means
  const startedAt = now()
  const notes: string[] = []
  const end = await attempt(order, means, notes).catch(
    (error: unknown): JobEnd => ({ outcome: signal.aborted ? cancelled() : notRun(error), summary: noSummary, report: null, copy: null }),
  )
  return jobResult({
    ...end,
    job: order.job,
    conversation: end.summary.conversation ?? order.conversation,
    cancelled: signal.aborted,
    notes,
    startedAt,
    endedAt: now(),
  })
}

/** Rejects if there was no cell. */
async function attempt(order: JobOrder, means: JobMeans, notes: string[]): Promise<JobEnd> {
  const { data, now, signal } = means
  const { manifest } = order
  const host = await means.host()
  const slot = data.slot(order.slot)
  await mkdir(slot.home, { recursive: true, mode: 0o700 })
  const workspace = await openWorkspace(manifest.workspace ?? 'own', slot.work, host)
  const where = {
    cwd: workspace.path,
    project: workspace.path,
    place: '',
    now: now().getTime(),
    needsCredential: true,
    conversation: order.conversation,
  }
  const run = await prepare(manifestRequest(manifest), where, host)
  notes.push(...run.notes)
  signal.throwIfAborted()
  const prepared = await run.forCell({ name: `${manifest.name} ${order.job}`, home: slot.home })
  try {
    const placed = await workspace.place(prepared.spec)
    notes.push(...prepared.notes, ...placed.notes)
    const files = data.job(order.job)
    const { report: whole, summary, unwritten } = await inCell(run, placed, order.prompt, files, host, means)
    const { report, copy, notes: more } = await placed.end(whole)
    notes.push(...more)
    await writeJson(files.cell, report, { mode: 0o600 }).catch((error) =>
      notes.push(`The report of its cell was not kept: ${messageOf(error)}`),
    )
    return { outcome: unwritten ?? runOutcome(report, summary, run.adapter.name), summary, report, copy }
  } finally {
    await prepared.end().catch((error) => notes.push(`Its credentials were not put away: ${messageOf(error)}`))
  }
}

interface Followed {
  readonly report: CellReport
  readonly summary: RunSummary
  /** What the agent said could not be written down, so it was ended; null: it could. */
  readonly unwritten: RunOutcome | null
}

/** Starts the cell and follows the agent in it. Rejects only if there was no cell. */
async function inCell(
  run: PreparedRun,
  placed: PlacedWorkspace,
  prompt: string,
  files: JobData,
  host: Host,
  { now, signal, hooks }: JobMeans,
): Promise<Followed> {
  await using open = new AsyncDisposableStack()
  let cell: Cell
  let output: HeadlessOutput
  let transcript: Transcript
  try {
    const stdout = open.use(await openLog(files.stdout, undefined, 0o600))
    output = { stdout: stdout.through, stderr: open.use(await openLog(files.stderr, undefined, 0o600)) }
    transcript = open.use(await openTranscript(files.transcript, { now }))
    const startCell = host.cells({ approve: reportingApprover(host.approvals, (isWaiting) => hooks.waiting(isWaiting)) })
    cell = await startCell(placed.spec, { stdin: Buffer.from(prompt) }, signal)
  } catch (error) {
    await placed.discard().catch(() => undefined)
    throw error
  }
  try {
    const end = await headless(cell, run.adapter, output, async (event) => {
      await transcript.add(event)
      hooks.wrote(transcript.events)
    })
    return { ...end, unwritten: null }
  } catch (error) {
    cell.kill()
    const message = `What it printed could not be written: ${messageOf(error)}`
    return { report: await cell.done, summary: noSummary, unwritten: { ...startFailed(message, null), kind: 'ran' } }
  }
}

function notRun(error: unknown): RunOutcome {
  return startFailed(messageOf(error), error instanceof PaddockError ? (error.hint ?? null) : null)
}
