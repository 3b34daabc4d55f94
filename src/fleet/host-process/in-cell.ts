import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import { noSummary, type RunSummary } from '../../adapters/output/run-summary.ts'
import { messageOf } from '../../base/errors.ts'
import type { StartCell } from '../../cell/cell.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { Host } from '../../host.ts'
import { type HeadlessEnd, type HeadlessOutput, headless } from '../../run/headless.ts'
import { outOfBudget, type RunOutcome, runOutcome, startFailed } from '../../run/run-outcome.ts'
import type { Meter } from '../budgets/meter.ts'
import { jobCompany } from './job-company.ts'
import type { JobMeans, JobOrder } from './job-means.ts'
import type { Transcript } from './transcript-writer.ts'
import { reportingApprover } from './waiting-approver.ts'

/** A job and the meter of its use. */
export interface Metered extends JobMeans {
  readonly meter: Meter
  /** Aborted when a budget is used up. */
  readonly over: AbortSignal
  /** Adds a sentence to the result. */
  readonly note: (text: string) => void
}

export interface JobOutput extends HeadlessOutput {
  readonly transcript: Transcript
}

/** One cell of a job. */
export interface CellOfJob {
  readonly order: JobOrder
  readonly adapter: AgentAdapter
  readonly spec: CellSpec
  readonly prompt: string
  /** The conversation to continue, or null for a new one. */
  readonly conversation: string | null
}

/** The result of a cell. */
export interface Followed {
  readonly report: CellReport
  readonly summary: RunSummary
  readonly outcome: RunOutcome
}

/** Starts a cell and follows the agent in it. Rejects only if there was no cell. */
export async function inCell(cell: CellOfJob, { transcript, ...output }: JobOutput, host: Host, means: Metered): Promise<Followed> {
  const { signal, hooks, meter } = means
  const start = host.cells({ approve: reportingApprover(host.approvals, (isWaiting) => hooks.waiting(isWaiting)) })
  const startCell: StartCell = async (spec, io, by) => {
    const started = await start(spec, { ...io, onWait: (isWaiting, why) => hooks.waiting(isWaiting, why) }, by)
    for (const each of started.notes ?? []) means.note(each)
    return started
  }
  const onEvent = async (event: AgentEvent): Promise<void> => {
    await transcript.add(event)
    hooks.wrote(transcript.events)
    meter.event(event)
  }
  const { manifest } = cell.order
  try {
    const follow = manifest.kind === 'model' ? modelInCell : cliInCell
    const { report, summary, outcome } = await follow(cell, output, { ...means, host, startCell, onEvent })
    const ended = outcome ?? runOutcome(report, summary, cell.adapter.name)
    return { report, summary, outcome: meter.over === null || signal.aborted ? ended : outOfBudget(ended, summary, meter.over) }
  } catch (error) {
    if (!(error instanceof Unwritten)) throw error
    return { report: error.report, summary: noSummary, outcome: { ...startFailed(error.message, null), kind: 'ran' } }
  } finally {
    meter.stop()
  }
}

/** An error for output of an agent that could not be stored; the cell was ended. */
class Unwritten extends Error {
  readonly report: CellReport
  constructor(cause: unknown, report: CellReport) {
    super(`What it printed could not be written: ${messageOf(cause)}`, { cause })
    this.report = report
  }
}

/** The end of a cell. If the outcome is null, the report of the cell shows how it ended. */
type CellEnd = HeadlessEnd & { readonly outcome: RunOutcome | null }

interface FollowMeans extends Omit<Metered, 'host'> {
  readonly host: Host
  readonly startCell: StartCell
  readonly onEvent: (event: AgentEvent) => Promise<void>
}

async function cliInCell({ adapter, spec, prompt }: CellOfJob, output: HeadlessOutput, means: FollowMeans): Promise<CellEnd> {
  const { signal, over, meter, onEvent } = means
  const cell = await means.startCell(spec, { stdin: Buffer.from(prompt) }, AbortSignal.any([signal, over]))
  meter.start()
  try {
    return { ...(await headless(cell, adapter, output, onEvent)), outcome: null }
  } catch (error) {
    cell.kill()
    throw new Unwritten(error, await cell.done)
  }
}

/** Runs a model: this process calls it, and its tools run in the cell. */
async function modelInCell({ order, spec, prompt, conversation }: CellOfJob, output: HeadlessOutput, means: FollowMeans): Promise<CellEnd> {
  // Only host processes of models load this: it takes time and memory.
  const { runModel } = await import('../model/run-model.ts')
  const { data, host, signal, over, meter, onEvent, startCell, note } = means
  const files = {
    before: conversation === null ? null : data.job(conversation).conversation,
    conversation: data.job(order.job).conversation,
  }
  return await runModel({ job: order.job, manifest: order.manifest, spec, prompt, ...files, only: order.lease?.tools ?? null }, output, {
    startCell,
    secrets: host.secrets,
    audit: host.audit.write,
    company: jobCompany({ manifest: order.manifest, hooks: means.hooks, meter }),
    signal: AbortSignal.any([signal, over]),
    beforeCall: () => meter.beforeCall(),
    onStart: () => meter.start(),
    onEvent,
    note,
  })
}
