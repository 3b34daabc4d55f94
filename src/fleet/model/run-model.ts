import { createHash } from 'node:crypto'
import type { ModelMessage } from 'ai'
import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import { noSummary, type RunSummary, withEvent } from '../../adapters/output/run-summary.ts'
import type { AuditSink } from '../../audit/event.ts'
import { messageOf, redact } from '../../base/errors.ts'
import type { StartCell } from '../../cell/cell.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { SecretKeeper } from '../../credentials/secret-keeper.ts'
import type { HeadlessEnd, HeadlessOutput } from '../../run/headless.ts'
import type { RunOutcome } from '../../run/run-outcome.ts'
import { traceOf } from '../../telemetry/current-telemetry.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import { listedTools } from '../manifest/model.ts'
import { AnswerEvents } from './answer-events.ts'
import { answeringModel } from './answering-model.ts'
import type { Company } from './company.ts'
import { readConversation, writeConversation } from './conversation-file.ts'
import { openEndpoints } from './endpoints.ts'
import { lossOf, runnerOf, type ToolAnswer } from './runner-client.ts'
import { runnerMounts } from './runner-mounts.ts'
import { think } from './think.ts'
import { toolsOf } from './tools.ts'

/** Milliseconds that the cell has to end on its own once its model has finished. */
const endMs = 5_000
/** The longest tool input in the audit log, in characters. */
const mostInput = 500

export interface ModelRun {
  readonly job: string
  readonly manifest: Manifest
  readonly spec: CellSpec
  readonly prompt: string
  /** The file with the conversation to continue, or null for a new one. */
  readonly before: string | null
  /** The file of this job's conversation. */
  readonly conversation: string
  /** The names of the tools that a lease allows; null allows all. */
  readonly only: readonly string[] | null
}

export interface ModelMeans {
  readonly startCell: StartCell
  readonly secrets: SecretKeeper
  readonly audit: AuditSink
  readonly company: Company
  readonly signal: AbortSignal
  /** Called before each call of the model; throws to prevent it. */
  readonly beforeCall: () => void
  readonly onStart: () => void
  readonly onEvent: (event: AgentEvent) => Promise<void>
  /** Adds a sentence for the user. */
  readonly note: (text: string) => void
}

/** The end of a model's run. If the outcome is null, the report of the cell shows it. */
export interface ModelEnd extends HeadlessEnd {
  readonly outcome: RunOutcome | null
}

/** Runs the job of a model, whose tools run in a cell. Rejects only if there was no cell. */
export async function runModel(run: ModelRun, output: HeadlessOutput, means: ModelMeans): Promise<ModelEnd> {
  const { manifest } = run
  using open = await openEndpoints(manifest, means.secrets)
  const before = run.before === null ? [] : await readConversation(run.before)
  const cell = await means.startCell(withRunner(run), { stdin: 'pipe' }, means.signal)
  const trace = traceOf(cell)
  using _held = trace?.hold()
  means.onStart()
  const errors = output.stderr.drain(cell.stderr)
  const runner = runnerOf(cell, output.stdout(cell.stdout), manifest.mcp ?? {})
  let summary: RunSummary = noSummary
  const event = async (each: AgentEvent): Promise<void> => {
    summary = withEvent(summary, each)
    trace?.event(each)
    await means.onEvent(each)
  }
  const reported = new Set<string>()
  const told = new AnswerEvents(manifest.model ?? '')
  let said = ''
  const model = answeringModel(open.endpoints, {
    beforeCall: means.beforeCall,
    async answered(name, failures, parts) {
      const { events, text: newest } = told.of(parts)
      said = newest
      for (const each of events) await event(each)
      const text = failures.length === 0 ? '' : `${name} answered instead of another endpoint: ${failures.join('; ')}.`
      if (text !== '' && !reported.has(text)) means.note(text)
      reported.add(text)
    },
  })
  const called = (tool: string, input: unknown, { ok }: ToolAnswer): void =>
    means.audit({ kind: 'fleet.tool', cell: cell.id, actor: manifest.name, data: { job: run.job, tool, ok, ...shownInput(input) } })
  try {
    const { tools: remote, problems } = await runner.ready
    for (const each of problems) means.note(`An MCP server has no tools: ${each}`)
    const messages: readonly ModelMessage[] = [...before, { role: 'user', content: run.prompt }]
    let isKept = false
    await think({
      model,
      instructions: manifest.instructions,
      tools: toolsOf(listedTools(manifest.tools ?? [], run.only), remote, {
        runner,
        company: means.company,
        delegates: manifest.delegates ?? [],
        called,
      }),
      messages,
      signal: AbortSignal.any([means.signal, runner.lost]),
      event,
      said: () => said,
      async added(more) {
        await writeConversation(run.conversation, [...messages, ...more])
        if (!isKept) await event({ type: 'conversation', id: run.job })
        isKept = true
      },
    })
    runner.close()
  } catch (error) {
    const why = lossOf(runner) ?? (means.signal.aborted ? null : messageOf(error))
    // If events cannot be written, the summary still contains this one.
    if (why !== null) await event({ type: 'error', message: why }).catch(() => undefined)
    runner.close()
  }
  const timer = setTimeout(() => cell.kill(), endMs)
  const report = await cell.done
  clearTimeout(timer)
  await errors
  const isItsOwn = report.ending.kind === 'exited' || report.ending.kind === 'cancelled'
  return { report, summary, outcome: isItsOwn && !means.signal.aborted ? outcomeOf(summary) : null }
}

/** Returns the outcome of a model that was not stopped. The exit code of the program that ran its tools is irrelevant. */
function outcomeOf({ ok, rateLimit, loginNeeded, trouble, errors }: RunSummary): RunOutcome {
  const outcome = { kind: 'ran', exitCode: null, message: null, hint: null, resetsAt: null } as const
  if (ok === true) return { ...outcome, exitCode: 0 }
  if (rateLimit !== null) return { ...outcome, kind: 'rate-limited', message: rateLimit.message, resetsAt: rateLimit.resetsAt }
  const hint = 'Set apiKey in its manifest to the key of this endpoint'
  if (loginNeeded !== null) return { ...outcome, kind: 'login-needed', message: `its endpoint refused its key (${loginNeeded})`, hint }
  if (trouble !== null) return { ...outcome, kind: 'endpoint-failed', message: `the model endpoint failed (${trouble.message})` }
  return { ...outcome, message: errors.at(-1) ?? 'it ended without an answer' }
}

function withRunner({ spec, manifest, prompt }: ModelRun): CellSpec {
  const agent = { name: 'model', family: 'various', version: null, model: manifest.model ?? null, prompt }
  return { ...spec, agent, mounts: [...spec.mounts, ...runnerMounts] }
}

/** Returns the start of a tool's input and the input's hash, for the audit log. */
function shownInput(input: unknown): { readonly input: string; readonly sha256: string } {
  const text = JSON.stringify(input)
  return { input: redact(text).slice(0, mostInput), sha256: createHash('sha256').update(text).digest('hex') }
}
