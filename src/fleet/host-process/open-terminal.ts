import { existsSync } from 'node:fs'
import { noSummary } from '../../adapters/output/run-summary.ts'
import type { Cell } from '../../cell/cell.ts'
import type { CellReport } from '../../cell/report.ts'
import type { Host } from '../../host.ts'
import { exitText } from '../../run/exit-text.ts'
import { prepare } from '../../run/prepare-run.ts'
import { runOutcome } from '../../run/run-outcome.ts'
import { cellName } from '../cell-name.ts'
import type { AgentData } from '../data-directory.ts'
import { terminalRequest } from '../manifest/request-of-manifest.ts'
import { agentRights } from './agent-rights.ts'
import type { ToHost } from './host-protocol.ts'
import type { JobMeans } from './job-means.ts'
import { workingPlace } from './working-place.ts'

export type TerminalOrder = Omit<Extract<ToHost, { type: 'open' }>, 'type'>

export interface TerminalMeans {
  readonly data: AgentData
  readonly host: () => Promise<Host>
  readonly now: () => Date
  readonly treeWishes: JobMeans['treeWishes']
  readonly floor: JobMeans['floor']
  readonly projects: JobMeans['projects']
  /** Aborted to end the start of the terminal, or its cell. */
  readonly signal: AbortSignal
}

/** A cell of an agent with a terminal. */
export interface OpenTerminal {
  readonly cell: Cell
  readonly command: readonly string[]
  /** Resolves once the terminal is completely gone, with the reason (a sentence) and with notes for its user. */
  readonly ended: Promise<{ readonly why: string; readonly notes: readonly string[] }>
}

/** The slot whose home and workspace terminals use: that of the agent's first concurrent job. */
const terminalSlot = 1

/**
 * Starts a terminal in the home and workspace of the agent's jobs: the CLI itself, its command, or a shell for a model.
 * It has no time limit and no silence limit.
 * @throws PaddockError as `prepare` and the start of a cell do
 */
export async function openTerminal(order: TerminalOrder, means: TerminalMeans): Promise<OpenTerminal> {
  const { manifest, size } = order
  const host = await means.host()
  const slot = means.data.slot(terminalSlot, order.lease?.id)
  const request = terminalRequest(manifest, order.command ?? (manifest.kind === 'model' ? [shell()] : null))
  const place = await workingPlace({ manifest, request, slot, name: order.session }, host, means)
  await using unstarted = new AsyncDisposableStack()
  unstarted.defer(() => place.workspace.discard().catch(() => undefined))
  const run = await prepare(place.request, { ...place.where, needsCredential: false, mayShowLogin: false }, host)
  means.signal.throwIfAborted()
  const prepared = await run.forCell({
    name: cellName(manifest.name, order.session),
    home: slot.home,
    rights: agentRights(manifest, order.byOwner === true),
  })
  try {
    const placed = await place.workspace.place(prepared.spec)
    const cell = await host.startCell(placed.spec, { stdin: 'pipe', size }, means.signal)
    unstarted.move()
    const notes = [...run.notes, ...prepared.notes, ...placed.notes, ...(cell.notes ?? [])]
    const ended = cell.done.then(async (report) => {
      const end = await placed.end(report).catch((error: unknown) => ({ copy: null, worktree: null, notes: [String(error)] }))
      await prepared.end().catch(() => undefined)
      const copy = end.copy === null ? [] : [`Its changes are in the copy ${end.copy}: paddock review ${end.copy}`]
      const { worktree } = end
      const tree = worktree === null ? [] : [`It worked in ${worktree.directory}, on branch ${worktree.name}`]
      return { why: endText(report, run.adapter.name), notes: [...notes, ...end.notes, ...copy, ...tree] }
    })
    return { cell, command: run.command.argv, ended }
  } catch (error) {
    await prepared.end().catch(() => undefined)
    throw error
  }
}

function shell(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
}

function endText(report: CellReport, agent: string): string {
  const { ending } = report
  if (ending.kind === 'exited') return `Its program ended with ${exitText(ending.code)}.`
  if (ending.kind === 'cancelled') return 'It was ended.'
  return `It ended: ${runOutcome(report, noSummary, agent).message ?? ending.kind}.`
}
