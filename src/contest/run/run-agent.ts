import { mkdir, rm } from 'node:fs/promises'
import { noSummary, type RunSummary } from '../../adapters/output/run-summary.ts'
import { writeTrajectory } from '../../adapters/output/trajectory/write-trajectory.ts'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { MaskWish, MountWish } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import { openJsonLines } from '../../files/append.ts'
import { writeJson } from '../../files/atomic.ts'
import { openLog } from '../../run/capture.ts'
import { headless } from '../../run/headless.ts'
import type { PreparedCell } from '../../run/prepare-run.ts'
import type { Contest } from '../config/brief.ts'
import type { RunFiles } from '../config/contest-layout.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import type { Outcome } from '../state/participant-outcome.ts'
import type { OfTask, Role } from '../state/progress.ts'
import { startContestCell } from './contest-cell.ts'
import { mountsWithin } from './mounts-within.ts'
import { cancelled, outcomeOf, startFailed } from './outcome-of-run.ts'
import type { ReadyRole } from './role.ts'

export interface AgentTask {
  readonly contest: Pick<Contest, 'layout' | 'root'>
  readonly role: Role
  readonly who: ReadyRole
  readonly prompt: string
  /** Mounts in addition to those that the agent itself needs. */
  readonly mounts: readonly MountWish[]
  /** Mounted paths that appear empty. */
  readonly masks: readonly MaskWish[]
  readonly files: RunFiles
  /** The host directory for the private home of this run. The run creates it, and deletes it afterwards. */
  readonly home: string
  /** The current task, for a judge that has several tasks. */
  readonly ofTask?: OfTask
}

export interface AgentRun {
  readonly outcome: Outcome
  readonly summary: RunSummary
  readonly durationMs: number
  /** The report of the cell; null: no cell was started. */
  readonly report: CellReport | null
}

const maxEvents = 200_000

/** Runs one agent once in its own cell and records the run. Never rejects because of what the agent or its cell does. */
export async function runAgent(task: AgentTask, deps: ContestDeps): Promise<AgentRun> {
  const { who, files } = task
  const { adapter } = who.run
  await mkdir(files.directory, { recursive: true })
  let prepared: PreparedCell | null = null
  try {
    await rm(task.home, { recursive: true, force: true })
    await mkdir(task.home, { recursive: true, mode: 0o700 })
    prepared = await who.run.forCell({
      name: `contest ${task.role} ${who.name}`,
      home: task.home,
      othersInHome: 'own',
      mounts: mountsWithin(task.contest, [...who.mounts, ...task.mounts]),
      masks: task.masks,
      pathEntries: who.pathEntries,
    })
    await using stdout = await openLog(files.stdout)
    await using stderr = await openLog(files.stderr)
    await using events = await openJsonLines(files.transcript)
    const cell = await startContestCell(task.contest, deps, prepared.spec, { stdin: Buffer.from(task.prompt) })
    let count = 0
    const { report, summary } = await headless(cell, adapter, { stdout: stdout.through, stderr }, async (event) => {
      count += 1
      if (count <= maxEvents) await events.append({ at: deps.now().toISOString(), ...event })
      deps.progress({ type: 'agent', role: task.role, name: who.name, event, ...task.ofTask })
    })
    await writeJson(files.cell, report)
    const run = { outcome: outcomeOf(report, summary, adapter.name), summary, durationMs: report.durationMs, report }
    await keepTrajectory(task, run, { isCut: count > maxEvents, deps })
    return run
  } catch (error) {
    return { outcome: notStarted(error, deps.signal), summary: noSummary, durationMs: 0, report: null }
  } finally {
    await prepared?.end()
    await rm(task.home, { recursive: true, force: true }).catch(() => {})
  }
}

/** Writes the trajectory. If that fails, the result of the run is still valid. */
async function keepTrajectory(
  { who, role, prompt, files }: AgentTask,
  { outcome, summary, report }: AgentRun & { readonly report: CellReport },
  { isCut, deps }: { readonly isCut: boolean; readonly deps: ContestDeps },
): Promise<void> {
  const { adapter, version, request } = who.run
  try {
    await writeTrajectory(files.trajectory, files.transcript, {
      id: report.cell,
      session: summary.conversation,
      agent: { name: adapter.name, version, model: request.model },
      prompt,
      startedAt: report.startedAt,
      usage: summary.usage,
      costUsd: summary.costUsd,
      isCut,
      extra: { role, name: who.name, outcome: outcome.kind, ...(outcome.message === null ? {} : { why: outcome.message }) },
    })
  } catch (error) {
    deps.progress({ type: 'warning', message: `${who.name}: its trajectory.json could not be written: ${messageOf(error)}` })
  }
}

function notStarted(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return cancelled()
  return startFailed(messageOf(error), error instanceof PaddockError ? (error.hint ?? null) : null)
}
