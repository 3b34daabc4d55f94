import { mkdirSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import { ChainFile, type ChainLimits } from './chain-file.ts'
import type { AuditEvent, AuditSink } from './event.ts'
import { bodyOf } from './line.ts'

/** A log that is written in batches, at the latest when it is closed. */
export interface AuditLog {
  readonly write: AuditSink
  close(): void
}

export interface AuditLogOptions extends Partial<ChainLimits> {
  /** Called with one sentence, once for each problem, when events cannot be written or are lost. */
  readonly onTrouble?: (sentence: string) => void
}

const batchMs = 25
const batchLines = 1_024
/** The maximum number of waiting events, and of their characters, while the disk is full or another process holds the lock. */
const maxWaiting = 65_536
const maxWaitingSize = 16 * 1024 ** 2
const busyMs = 5
const troubleMs = 1_000
/** How long an urgent event waits for other processes, in milliseconds. */
const urgentMs = 2_000
const urgentKinds = ['cell.', 'approval.', 'fleet.']

/**
 * Appends events to the hash chain in a directory of the user's state (see chain-file.ts). The directory is outside every cell. Only host
 * processes write to it, any number of them at once. `write` never throws and does not wait, except for events of cells, approvals and the
 * fleet (`cell.…`, `approval.…`, `fleet.…`), which are written before it returns. Lost events are counted, and an `audit.lost` event
 * reports them as soon as there is room again.
 */
export function openAuditLog(directory: string, options: AuditLogOptions = {}): AuditLog {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const chain = new ChainFile(directory, options)
  let waiting: string[] = []
  let size = 0
  let lost = 0
  let troubled = false
  let notBefore = 0
  let timer: NodeJS.Timeout | null = null
  let syncing: NodeJS.Immediate | null = null
  let open = true

  const trouble = (error: unknown): void => {
    if (!troubled)
      options.onTrouble?.(`the audit log cannot be written (${messageOf(error)}); events wait, and are counted when they are lost`)
    troubled = true
    notBefore = Date.now() + troubleMs
  }
  const later = (ms: number): void => {
    timer ??= setTimeout(() => flush(0), ms).unref()
  }
  const flush = (waitMs: number): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    while (open && waiting.length > 0) {
      if (lost > 0 && waiting.length < maxWaiting) {
        waiting.push(bodyOf({ kind: 'audit.lost', data: { events: lost } }))
        size += 100
        lost = 0
      }
      const batch = waiting.length > batchLines ? waiting.slice(0, batchLines) : waiting
      const { written, error } = chain.append(batch, waitMs)
      for (let each = 0; each < written; each++) size -= batch[each]?.length ?? 0
      waiting = waiting.slice(written)
      if (error !== undefined) trouble(error)
      else if (written > 0) troubled = false
      if (written === batch.length) continue
      later(error === undefined ? busyMs : troubleMs)
      return
    }
    size = 0
  }
  const onExit = (): void => flush(urgentMs)
  process.once('exit', onExit)
  return {
    write: (event: AuditEvent) => {
      if (!open || waiting.length >= maxWaiting || size >= maxWaitingSize) {
        lost++
        return
      }
      const body = bodyOf(event)
      waiting.push(body)
      size += body.length
      const urgent = urgentKinds.some((each) => event.kind.startsWith(each))
      if (Date.now() < notBefore && !urgent) later(troubleMs)
      else if (urgent) {
        flush(urgentMs)
        // Runs after the current work. If the log is closed by then, closing flushes it, and only once.
        syncing ??= setImmediate(() => {
          syncing = null
          chain.sync()
        }).unref()
      } else if (waiting.length >= batchLines && timer !== null) flush(0)
      else later(batchMs)
    },
    close: () => {
      if (!open) return
      process.off('exit', onExit)
      if (syncing !== null) clearImmediate(syncing)
      flush(urgentMs)
      if (timer !== null) clearTimeout(timer)
      if (waiting.length + lost > 0)
        options.onTrouble?.(`${waiting.length + lost} events of the audit log could not be written and are lost`)
      open = false
      chain.close()
    },
  }
}
