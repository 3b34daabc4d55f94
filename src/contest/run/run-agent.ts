import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AgentCommand } from '../../adapters/adapter.ts'
import { noSummary, type RunSummary, withEvent } from '../../adapters/output/run-summary.ts'
import { transcript } from '../../adapters/output/transcript.ts'
import type { MaskWish, MountWish } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import { messageOf, PaddockError } from '../../errors.ts'
import { openJsonLines } from '../../files/append.ts'
import { writeJson } from '../../files/atomic.ts'
import type { CellCredentials } from '../../run/cell-credentials.ts'
import type { RunFiles } from '../state/layout.ts'
import type { Role } from '../state/progress.ts'
import { openLog } from './capture.ts'
import type { Ready } from './contender.ts'
import type { ContestDeps } from './deps.ts'
import { cancelled, type Outcome, outcomeOf, startFailed } from './outcome.ts'

export interface AgentTask {
  readonly role: Role
  readonly who: Ready
  readonly prompt: string
  readonly cwd: string
  /** Beyond what the agent itself needs. */
  readonly mounts: readonly MountWish[]
  /** What appears empty of what is mounted. */
  readonly masks: readonly MaskWish[]
  readonly files: RunFiles
  /** A directory of the host for the private home of this one run; made here, and deleted after it. */
  readonly home: string
}

export interface AgentRun {
  readonly outcome: Outcome
  readonly summary: RunSummary
  readonly durationMs: number
  /** Null where no cell came to be. */
  readonly report: CellReport | null
}

const maxEvents = 200_000

/** Runs one agent once in a cell of its own and writes down everything of it. Never rejects for what the agent or its cell does. */
export async function runAgent(task: AgentTask, deps: ContestDeps): Promise<AgentRun> {
  const { who, files } = task
  await mkdir(files.directory, { recursive: true })
  let given: CellCredentials | null = null
  try {
    given = await who.credentials()
    const forge = who.forges()
    await makeHome(task.home, [...who.command.homeFiles, ...given.homeFiles])
    await using stdout = await openLog(files.stdout)
    await using stderr = await openLog(files.stderr)
    await using events = await openJsonLines(files.transcript)
    const cell = await deps.startCell(
      {
        name: `${task.role} ${who.name}`,
        command: who.command.argv,
        cwd: task.cwd,
        mounts: [...who.mounts, ...given.mounts, ...task.mounts],
        files: [],
        masks: task.masks,
        home: { kind: 'persistent', path: task.home },
        env: { ...who.env, ...given.env, ...forge.env },
        credentials: [...given.credentials, ...forge.credentials],
        gitConfig: forge.gitConfig,
        pathEntries: who.pathEntries,
        egress: who.egress,
        limits: who.limits,
        terminal: false,
        degraded: [],
      },
      { stdin: Buffer.from(task.prompt) },
      deps.signal,
    )
    // Both streams get their reader at once: Node throws away what a process that ended left unread.
    const errors = stderr.drain(cell.stderr)
    let answered = 0
    const ended = Promise.all([cell.done, errors]).then(([report]) => {
      const code = codeOf(report)
      // A try that was repeated before the model's newest answer is not why a limit was reached.
      return { code, stderr: stderr.tail(code === null ? answered : 0) }
    })
    let summary = noSummary
    let count = 0
    for await (const event of transcript(stdout.through(cell.stdout), who.adapter.parser(), ended)) {
      summary = withEvent(summary, event)
      if (event.type === 'text' || event.type === 'tool-call') answered = stderr.bytes
      count += 1
      if (count <= maxEvents) await events.append({ at: deps.now().toISOString(), ...event })
      deps.progress({ type: 'agent', role: task.role, name: who.name, event })
    }
    const report = await cell.done
    await writeJson(files.cell, report)
    return { outcome: outcomeOf(report, summary, who.agent), summary, durationMs: report.durationMs, report }
  } catch (error) {
    return { outcome: notStarted(error, deps.signal), summary: noSummary, durationMs: 0, report: null }
  } finally {
    await given?.end()
    await rm(task.home, { recursive: true, force: true }).catch(() => {})
  }
}

function notStarted(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return cancelled()
  return startFailed(messageOf(error), error instanceof PaddockError ? (error.hint ?? null) : null)
}

function codeOf(report: CellReport): number | null {
  return report.ending.kind === 'exited' ? report.ending.code : null
}

/** A fresh private home with the files that the agent must find there. */
async function makeHome(home: string, files: AgentCommand['homeFiles']): Promise<void> {
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { recursive: true, mode: 0o700 })
  await chmod(home, 0o700)
  for (const each of files) {
    const file = path.join(home, each.path)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, each.content, { mode: 0o600 })
  }
}
