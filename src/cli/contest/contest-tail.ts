import { setTimeout as wait } from 'node:timers/promises'
import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import { exitCodes, PaddockError, redact } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { resolvePaths } from '../../base/paths.ts'
import { printable } from '../../base/text.ts'
import type { Layout } from '../../contest/config/contest-layout.ts'
import { refuseLinkedRecords } from '../../contest/config/refuse-linked-records.ts'
import { contestAt } from '../../contest/state/contest-at.ts'
import { contestLock } from '../../contest/state/contest-lock.ts'
import { type ContestStatus, readStatus } from '../../contest/state/contest-state.ts'
import type { ContestEvent } from '../../contest/state/progress.ts'
import { GrowingLines } from '../../files/growing-lines.ts'
import { isHeld } from '../../files/lock.ts'
import { agentText, eventText } from './event-text.ts'

interface TailOptions {
  readonly json?: boolean
  /** Set to false to print only the existing lines. */
  readonly follow?: boolean
}

/** A file whose new lines are printed. */
interface Source {
  readonly lines: GrowingLines
  /** Returns one line of the file as text for people; null to leave it out. */
  readonly text: (event: { readonly at?: unknown }) => string | null
}

const [pollMs, maxLine] = [250, 8 * 1024 * 1024]

/**
 * `paddock contest tail`: prints the events of a contest, or the messages and actions of one participant or judge in its newest attempts.
 * Ends when no process works on the contest any more.
 */
export async function contestTail(directory: string, actor: string | undefined, options: TailOptions): Promise<number> {
  const layout = await contestAt(directory)
  await refuseLinkedRecords(layout)
  const lock = await contestLock(layout, resolvePaths(process.env))
  const sources = new Map<string, Source>()
  for (;;) {
    // The lock is checked first, so that lines written just before its release are still read.
    const isOver = options.follow === false || !(await isHeld(lock))
    const status = await readStatus(layout)
    for (const [file, text] of filesOf(layout, status, actor))
      if (!sources.has(file)) sources.set(file, { lines: new GrowingLines(file, maxLine), text })
    for (const { lines, text } of sources.values()) for await (const line of lines.more()) print(line, text, options)
    if (isOver) return exitCodes.done
    await wait(pollMs)
  }
}

function filesOf(layout: Layout, status: ContestStatus | null, actor: string | undefined): [string, Source['text']][] {
  if (actor === undefined) return [[layout.events, (event) => eventText(event as ContestEvent)]]
  const said = (event: object): string | null => agentText(event as AgentEvent)
  const attempt = status !== null && Object.hasOwn(status.participants, actor) ? (status.participants[actor]?.attempt ?? 0) : null
  const tasks = (status?.tasks ?? []).filter(({ judge }) => judge === actor)
  if (status === null || (attempt === null && tasks.length === 0)) {
    const names = [...Object.keys(status?.participants ?? {}), ...new Set((status?.tasks ?? []).map(({ judge }) => judge))]
    const near = nearest(actor, names)
    throw new PaddockError('NOT_FOUND', `${actor}: no participant or judge of that name was started in this contest.`, {
      hint:
        near !== null
          ? `Did you mean ${near}?`
          : names.length > 0
            ? `The names are ${names.join(', ')}`
            : 'Start it with: paddock contest run',
    })
  }
  const own: [string, Source['text']][] =
    attempt === null || attempt === 0 ? [] : [[layout.attempt(status.round, actor, attempt).transcript, said]]
  for (const { id, attempt: at } of tasks) {
    const named = (event: object): string | null => {
      const text = said(event)
      return text === null || tasks.length < 2 ? text : `${id}: ${text}`
    }
    if (at > 0) own.push([layout.task(status.judging, actor, id).attempt(at).transcript, named])
  }
  return own
}

function print(line: string, text: Source['text'], { json }: TailOptions): void {
  const shown = shownOf(line, text)
  if (json === true) process.stdout.write(`${redact(line)}\n`)
  else if (shown !== null) process.stdout.write(`${printable(redact(shown))}\n`)
}

/** Returns the text of a line; null to leave it out. A line may not be an event, because the file may come from a cloned contest. */
function shownOf(line: string, text: Source['text']): string | null {
  try {
    const event = JSON.parse(line) as { readonly at?: unknown }
    const shown = text(event)
    const time = typeof event.at === 'string' ? event.at.slice(11, 19) : ''
    return shown === null ? null : `${time} ${shown}`.trimStart()
  } catch {
    return null
  }
}
