import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import { noSummary, type RunSummary } from '../../adapters/output/run-summary.ts'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { writeJson } from '../../files/atomic.ts'
import { openLog } from '../../run/capture.ts'
import { prepare } from '../../run/prepare-run.ts'
import { cancelled, type RunOutcome, startFailed } from '../../run/run-outcome.ts'
import { unlimited } from '../budgets/budget-allowance.ts'
import { Meter } from '../budgets/meter.ts'
import { cellName } from '../cell-name.ts'
import type { JobData } from '../data-directory.ts'
import { goOnPrompt } from '../jobs/go-on-prompt.ts'
import type { JobResult } from '../jobs/job.ts'
import { memoryFile, memoryHint } from '../jobs/memory-text.ts'
import { quotedSources } from '../jobs/quoted-data.ts'
import { manifestRequest } from '../manifest/request-of-manifest.ts'
import { agentRights } from './agent-rights.ts'
import { companyFor } from './company-for.ts'
import { type Followed, inCell, type JobOutput, type Metered } from './in-cell.ts'
import type { JobMeans, JobOrder } from './job-means.ts'
import { type EndedJob, jobResult } from './job-result.ts'
import { waitFor, waitsUntil } from './rate-limit.ts'
import { joinReports, joinSummaries } from './several-cells.ts'
import { openTranscript } from './transcript-writer.ts'
import { refuseUnheld } from './unheld-budget.ts'
import { workingPlace } from './working-place.ts'

/** The end of one run of a job. */
type JobEnd = Pick<EndedJob, 'outcome' | 'summary' | 'report' | 'copy' | 'worktree'>

/**
 * Runs one job to its end, until its cell is completely gone, and returns how it ended. Transcript, logs and the cell's report are written
 * next to the result, which the caller writes. Never rejects: an error that prevents the run becomes the outcome.
 */
export async function runJob(order: JobOrder, means: JobMeans): Promise<JobResult> {
  const { now, signal } = means
  const startedAt = now()
  const notes: string[] = []
  const over = new AbortController()
  const near = (message: string): void => {
    notes.push(message)
    means.hooks.budget(message)
  }
  const meter = new Meter(order.allowances ?? unlimited, { near, usedUp: () => over.abort() }, () => performance.now())
  means.hooks.onSpent((used) => meter.add(used))
  const metered: Metered = { ...means, meter, over: over.signal, note: (text) => notes.push(text) }
  const end = await attempt(order, metered, notes).catch(
    (error: unknown): JobEnd => ({
      outcome: signal.aborted ? cancelled() : notRun(error),
      summary: noSummary,
      report: null,
      copy: null,
      worktree: null,
    }),
  )
  return jobResult({
    ...end,
    meter,
    job: order.job,
    conversation: end.summary.conversation ?? order.conversation,
    cancelled: signal.aborted,
    notes,
    startedAt,
    endedAt: now(),
  })
}

/** Runs the job once. Rejects if there was no cell. */
async function attempt(order: JobOrder, means: Metered, notes: string[]): Promise<JobEnd> {
  const { data, now, signal } = means
  const { manifest } = order
  refuseUnheld(manifest, order.allowances ?? unlimited)
  const host = await means.host()
  const slot = data.slot(order.slot, order.lease?.id)
  const name = order.worktree ?? order.job
  const place = await workingPlace({ manifest, request: manifestRequest(manifest), slot, name }, host, means)
  const { workspace } = place
  await using unstarted = new AsyncDisposableStack()
  unstarted.defer(() => workspace.discard().catch(() => undefined))
  // A model's conversation is stored with its job.
  const forCli = (conversation: string | null) => ({ conversation: manifest.kind === 'model' ? null : conversation })
  await using company = await companyFor(order, host, means)
  const where = { ...place.where, mcp: company.mcp, needsCredential: true, mayShowLogin: false, ...forCli(order.conversation) }
  const untrusted = [...place.request.untrusted, ...quotedSources(order.prompt), ...(order.untrusted ?? [])]
  const run = await prepare({ ...place.request, untrusted }, where, host)
  notes.push(...run.notes)
  signal.throwIfAborted()
  const prepared = await run.forCell({
    name: cellName(manifest.name, order.job),
    home: slot.home,
    rights: agentRights(manifest, order.byOwner === true),
  })
  try {
    await using open = new AsyncDisposableStack()
    const placed = await workspace.place(company.reachedBy(withMemory(prepared.spec, order.memory)))
    notes.push(...prepared.notes, ...placed.notes)
    const files = data.job(order.job)
    const output = await openOutput(files, open, now)
    const { adapter } = run
    const first = await inCell(
      { order, adapter, spec: placed.spec, prompt: promptOf(order), conversation: order.conversation },
      output,
      host,
      means,
    )
    unstarted.move()
    const goOn = async (before: RunSummary): Promise<Followed> => {
      const hasBegun = before.conversation !== null && (before.toolCalls > 0 || (before.usage?.output ?? 0) > 0)
      const [conversation, prompt] = hasBegun ? [before.conversation, goOnPrompt] : [order.conversation, promptOf(order)]
      const again = await prepare(manifestRequest(manifest), { ...where, now: now().getTime(), ...forCli(conversation) }, host)
      const spec = { ...placed.spec, command: again.command.argv }
      return inCell({ order, adapter: again.adapter, spec, prompt, conversation }, output, host, means)
    }
    const { report: whole, summary, outcome } = await pastLimits(first, goOn, output, means)
    const { report, copy, worktree, notes: more } = await placed.end(whole)
    notes.push(...more)
    await writeJson(files.cell, report, { mode: 0o600 }).catch((error) =>
      notes.push(`The report of its cell was not kept: ${messageOf(error)}`),
    )
    return { outcome, summary, report, copy, worktree }
  } finally {
    await prepared.end().catch((error) => notes.push(`Its credentials were not removed: ${messageOf(error)}`))
  }
}

function withMemory(spec: CellSpec, memory: string | undefined): CellSpec {
  return memory === undefined ? spec : { ...spec, files: [...spec.files, { target: memoryFile, content: memory }] }
}

/** Returns the prompt with a hint about the memory, which a continued conversation has already. */
function promptOf({ prompt, memory, conversation }: JobOrder): string {
  return memory === undefined || conversation !== null ? prompt : `${prompt}\n\n${memoryHint}\n`
}

/** Opens the output files of a job, for all of its cells. */
async function openOutput(files: JobData, open: AsyncDisposableStack, now: () => Date): Promise<JobOutput> {
  const stdout = open.use(await openLog(files.stdout, undefined, 0o600))
  const stderr = open.use(await openLog(files.stderr, undefined, 0o600))
  return { stdout: stdout.through, stderr, transcript: open.use(await openTranscript(files.transcript, { now })) }
}

/**
 * Continues after each rate limit: waits without a cell until the reset, then starts another cell in the same conversation and workspace.
 * An agent that had not started gets its prompt again.
 */
async function pastLimits(
  first: Followed,
  goOn: (before: RunSummary) => Promise<Followed>,
  { transcript }: JobOutput,
  { now, signal, hooks }: Metered,
): Promise<Followed> {
  let all = first
  for (let waits = 0; !signal.aborted; waits++) {
    const until = waitsUntil(all.outcome, waits, now().getTime(), Math.random())
    if (until === null) return all
    const why = `${all.outcome.message ?? 'Its rate limit is reached'}; it continues at ${new Date(until).toISOString()}`
    const event: AgentEvent = { type: 'rate-limit', message: why, resetsAt: until, final: false }
    await transcript.add(event)
    hooks.wrote(transcript.events)
    hooks.waiting(true, why)
    await waitFor(until, signal, () => now().getTime())
    hooks.waiting(false)
    if (signal.aborted) break
    const { report, summary } = all
    try {
      const next = await goOn(summary)
      all = { report: joinReports(report, next.report), summary: joinSummaries(summary, next.summary), outcome: next.outcome }
    } catch (error) {
      return { report, summary, outcome: signal.aborted ? cancelled() : notRun(error) }
    }
  }
  return { ...all, outcome: cancelled() }
}

function notRun(error: unknown): RunOutcome {
  return startFailed(messageOf(error), error instanceof PaddockError ? (error.hint ?? null) : null)
}
