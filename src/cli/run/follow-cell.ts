import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import type { Cell } from '../../cell/cell.ts'
import type { CellReport } from '../../cell/report.ts'
import type { ApprovalsOptions } from '../../egress/approvals/approver.ts'
import type { RunOutcome } from '../../run/run-outcome.ts'
import type { OutputGate } from '../terminal/output-gate.ts'
import { writeReadable } from '../terminal/terminal-output.ts'
import { attachPipes, attachTerminal } from './attach.ts'
import type { RunOptions } from './options.ts'
import type { RunTrajectory } from './run-trajectory.ts'

interface Following {
  readonly terminal: boolean
  readonly prompted: boolean
  readonly options: RunOptions
  readonly gate: OutputGate
  readonly trajectory: RunTrajectory | null
}

/** Relays input and output until the cell has ended. An agent with a prompt reports events, which make the outcome more precise. */
export async function follow(
  cell: Cell,
  adapter: AgentAdapter,
  by: Following,
): Promise<{
  readonly report: CellReport
  readonly outcome: RunOutcome | null
  readonly used: readonly string[]
  /** The reason why the trajectory could not be written; null: it was written, or is not wanted. */
  readonly unwritten: string | null
}> {
  const { terminal, prompted, options, gate, trajectory } = by
  const out = options.json === true ? process.stderr : process.stdout
  if (terminal || !prompted || adapter.name === 'command') {
    const firstIs = options.asIs === true ? 'passed' : 'interrupt'
    const detach = terminal ? attachTerminal(cell, firstIs) : attachPipes(cell, gate, { out, firstIs })
    return { report: await cell.done.finally(detach), outcome: null, used: [], unwritten: null }
  }
  const [{ attachHeadless }, { runOutcome }, { usageText }] = await Promise.all([
    import('./attach-headless.ts'),
    import('../../run/run-outcome.ts'),
    import('./event-lines.ts'),
  ])
  const readable = options.raw !== true && out.isTTY === true
  const keep = trajectory === null ? null : (event: AgentEvent) => trajectory.add(event)
  const end = await attachHeadless(cell, adapter, gate, { out, readable, keep })
  const { report, summary } = end
  const unwritten = (await trajectory?.write(end)) ?? null
  const used = readable ? usageText(summary.usage, summary.costUsd) : null
  return {
    report,
    outcome: runOutcome(report, summary, adapter.name),
    used: used === null ? [] : [`${adapter.name} used ${used}`],
    unwritten,
  }
}

/** Returns the way to ask the user: in this terminal if it is free, else with one line that names the command. */
export async function askingOf(
  terminal: boolean,
  prompted: boolean,
  quiet: boolean,
  gate: OutputGate,
): Promise<Pick<ApprovalsOptions, 'terminal' | 'notice'>> {
  const { approvalNotice, terminalPrompt } = await import('../audit/approval-prompt.ts')
  if (prompted && process.stdin.isTTY === true && process.stderr.isTTY === true)
    return { terminal: terminalPrompt(process.stdin, process.stderr, () => gate.hold()) }
  return quiet ? {} : { notice: approvalNotice(terminal, writeReadable) }
}
