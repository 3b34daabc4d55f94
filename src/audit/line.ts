import { hash } from 'node:crypto'
import { redact } from '../base/errors.ts'
import type { AuditEvent } from './event.ts'

/** The value of `prev` in the first line of a log. */
export const noHash = '0'.repeat(64)
/** The maximum length of an event's data in characters. Of longer data, only the start is kept. */
const maxData = 64 * 1024

/** A line that was read from the log. */
export interface AuditLine {
  readonly seq: number
  /** The hash of the previous line. */
  readonly prev: string
  readonly hash: string
  readonly time: string
  readonly kind: string
  readonly cell?: string
  readonly actor?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The end of a chain, which the next line refers to. */
export interface ChainTip {
  readonly seq: number
  readonly hash: string
}

/** The last formatted time, kept because many events share a millisecond. */
let said = { ms: Number.NaN, text: '' }

function timeOf(ms: number): string {
  if (ms !== said.ms) said = { ms, text: new Date(ms).toISOString() }
  return said.text
}

/** Returns an event with its time as JSON, without the braces: the part of a line that does not depend on its position in the chain. */
export function bodyOf({ kind, cell, actor, data }: AuditEvent): string {
  const named = (key: string, value: string | undefined): string =>
    value === undefined ? '' : `"${key}":${JSON.stringify(value.slice(0, 100))},`
  const who = named('cell', cell) + named('actor', actor)
  const before = `"time":"${timeOf(Date.now())}","kind":${JSON.stringify(kind.slice(0, 100))},${who}"data":`
  let text: string
  try {
    text = JSON.stringify(data)
  } catch (error) {
    text = JSON.stringify({ unwritable: redact(String(error)).slice(0, 1_000) })
  }
  return text.length <= maxData ? before + text : before + JSON.stringify({ cut: text.length, start: text.slice(0, 1_000).toWellFormed() })
}

/** The maximum size in bytes of a line without its body. `widest`: that of each character of the body. */
const frame = 250
const widest = 3

/** Lines in one block of memory. While a relay is busy, most of the cost of an event is the memory that it touches. */
export interface Lines {
  /** The lines, valid until the next lines are made. */
  readonly bytes: Buffer
  /** The end of each line in `bytes`. `tips`: the tip after each line, which the next line refers to. */
  readonly ends: readonly number[]
  readonly tips: readonly ChainTip[]
}

const kept = Buffer.allocUnsafeSlow(1024 ** 2)

/**
 * Returns the lines of events after a tip, preceded by `before` (ASCII). A line's hash is the SHA-256 of its own bytes without the `hash`
 * member. These bytes include the hash of the previous line (`prev`), so each hash covers everything written up to it.
 */
export function linesBehind(tip: ChainTip, bodies: readonly string[], before: string): Lines {
  const most = bodies.reduce((sum, body) => sum + body.length * widest + frame, before.length)
  const bytes = most <= kept.length ? kept : Buffer.allocUnsafeSlow(most)
  let { seq, hash: prev } = tip
  let end = bytes.write(before, 'latin1')
  const ends: number[] = []
  const tips: ChainTip[] = []
  for (const body of bodies) {
    const start = end
    end += bytes.write(`{"schemaVersion":1,"seq":${++seq},${body},"prev":"${prev}"}`, start)
    prev = hash('sha256', bytes.subarray(start, end), 'hex')
    end += bytes.write(`,"hash":"${prev}"}\n`, end - 1, 'latin1') - 1
    ends.push(end)
    tips.push({ seq, hash: prev })
  }
  return { bytes: bytes.subarray(0, end), ends, tips }
}

const shape = /^(\{"schemaVersion":1,"seq":([1-9]\d{0,14}),.*,"prev":"([0-9a-f]{64})"),"hash":"([0-9a-f]{64})"\}$/s

/** Parses a line without its newline; null unless `linesBehind` made the line and it has not been changed since. */
export function readLine(bytes: Buffer): AuditLine | null {
  const text = bytes.toString('utf8')
  const found = shape.exec(text)
  if (found === null || hash('sha256', Buffer.concat([bytes.subarray(0, bytes.length - 75), Buffer.from('}')]), 'hex') !== found[4])
    return null
  try {
    return JSON.parse(text) as AuditLine
  } catch {
    return null
  }
}
