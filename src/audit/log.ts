import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { AuditEvent, AuditSink } from './event.ts'

/** A log that is written in batches and at the latest when it is closed. */
export interface AuditLog {
  readonly write: AuditSink
  close(): void
}

const batchMs = 50
const batchLines = 256

/**
 * Appends events to `audit.jsonl` in a directory of the user's state, one JSON line each with its time. Outside of every
 * cell, written by the host process alone; lines of several processes do not mix (O_APPEND, write(2)).
 */
export function openAuditLog(directory: string): AuditLog {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const fd = openSync(path.join(directory, 'audit.jsonl'), 'a', 0o600)
  let waiting: string[] = []
  let timer: NodeJS.Timeout | null = null
  let open = true
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (waiting.length === 0 || !open) return
    const batch = waiting.join('')
    waiting = []
    writeSync(fd, batch)
  }
  return {
    write: (event: AuditEvent) => {
      waiting.push(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`)
      // How a cell started and ended is on the disk before anything else happens.
      if (waiting.length >= batchLines || event.kind.startsWith('cell.')) flush()
      else timer ??= setTimeout(flush, batchMs).unref()
    },
    close: () => {
      flush()
      if (open) closeSync(fd)
      open = false
    },
  }
}
