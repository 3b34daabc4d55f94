import type { AuditFilter } from '../../audit/event-filter.ts'
import { kindFilters } from '../../audit/event-kinds.ts'
import { followLines, newestLines } from '../../audit/read-log.ts'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { say } from '../terminal/terminal-output.ts'
import { auditDirectory, unreadableNote } from './audit-command.ts'
import { auditText } from './audit-lines.ts'

export interface AuditTailOptions extends Omit<AuditFilter, 'after' | 'before'> {
  readonly after?: string
  readonly before?: string
  readonly follow?: boolean
  readonly n: string
  readonly json?: boolean
}

/** `paddock audit tail`: prints the newest lines; with `--json` one JSON object per line, with `--follow` also new lines as they come. */
export async function auditTail(options: AuditTailOptions): Promise<number> {
  const count = /^\d{1,6}$/.test(options.n) ? Number(options.n) : null
  if (count === null)
    throw new PaddockError('BAD_INPUT', `-n ${options.n}: that is not a number of lines.`, {
      hint: 'For example: paddock audit tail -n 50',
    })
  const show = (line: Parameters<typeof auditText>[0]): void => {
    process.stdout.write(`${options.json === true ? JSON.stringify(line) : auditText(line, process.stdout.columns)}\n`)
  }
  for (const kind of options.kind?.split(',') ?? []) refuseUnknownKind(kind)
  const { after, before, from, ...others } = options
  if (from !== undefined && Number.isNaN(Date.parse(from)))
    throw new PaddockError('BAD_INPUT', `--from ${from} is not a time.`, { hint: 'For example --from 2027-01-31T12:00:00Z' })
  const filter: AuditFilter = {
    ...others,
    ...(from === undefined ? {} : { from }),
    ...(after === undefined ? {} : { after: lineNumber('--after', after) }),
    ...(before === undefined ? {} : { before: lineNumber('--before', before) }),
  }
  const ended = new AbortController()
  const coming = options.follow === true ? followLines(auditDirectory(), filter, ended.signal) : null
  // The follower starts first, so that lines written between the two reads are not missed.
  const next = coming?.next()
  const { lines, unreadable } = newestLines(auditDirectory(), filter, count)
  for (const each of lines) show(each)
  for (const each of unreadableNote(unreadable)) say(each)
  if (coming === null || next === undefined) return exitCodes.done
  process.stdout.once('error', () => ended.abort())
  const shown = lines.at(-1)?.seq ?? 0
  for (let each = await next; each.done !== true; each = await coming.next()) if (each.value.seq > shown) show(each.value)
  return exitCodes.done
}

/** Throws for an unknown kind, which would match nothing and look like a quiet log. */
function refuseUnknownKind(kind: string): void {
  if (kindFilters.includes(kind)) return
  const near = nearest(kind, kindFilters)
  throw new PaddockError('BAD_INPUT', `--kind ${kind}: the log has no such kind.`, {
    hint: near === null ? `The kinds are ${kindFilters.filter((each) => !each.includes('.')).join(', ')}` : `Did you mean ${near}?`,
  })
}

function lineNumber(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new PaddockError('BAD_INPUT', `${option} ${text} is not the number of a line.`, { hint: `For example ${option} 1000` })
}
