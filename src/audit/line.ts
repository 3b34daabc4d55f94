import { hash } from 'node:crypto'
import { redact } from '../errors.ts'
import type { AuditEvent } from './event.ts'

/** What the first line of a log refers to. */
export const noHash = '0'.repeat(64)
/** Characters of an event's data beyond which only its beginning is kept. */
const maxData = 64 * 1024

/** A line of the log as it was read. */
export interface AuditLine {
  readonly seq: number
  /** Hash of the line before. */
  readonly prev: string
  readonly hash: string
  readonly time: string
  readonly kind: string
  readonly cell?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The end of a chain: what the next line refers to. */
export interface ChainTip {
  readonly seq: number
  readonly hash: string
}

/** The last time that was written out: many events share one millisecond. */
let said = { ms: Number.NaN, text: '' }

function timeOf(ms: number): string {
  if (ms !== said.ms) said = { ms, text: new Date(ms).toISOString() }
  return said.text
}

/** An event with its time as JSON, without the braces: all of a line that is known before its place in the chain is. */
export function bodyOf({ kind, cell, data }: AuditEvent): string {
  const who = cell === undefined ? '' : `"cell":${JSON.stringify(cell.slice(0, 100))},`
  const named = `"time":"${timeOf(Date.now())}","kind":${JSON.stringify(kind.slice(0, 100))},${who}"data":`
  let text: string
  try {
    text = JSON.stringify(data)
  } catch (error) {
    text = JSON.stringify({ unwritable: redact(String(error)).slice(0, 1_000) })
  }
  return text.length <= maxData ? named + text : named + JSON.stringify({ cut: text.length, start: text.slice(0, 1_000).toWellFormed() })
}

/**
 * A line behind a tip. Its hash is the SHA-256 of the line's own bytes without the `hash` member; the hash of the line before is
 * one of them (`prev`), so each hash stands for all that was written up to it.
 */
export function lineBehind(tip: ChainTip, body: string): { readonly text: string; readonly tip: ChainTip } {
  const seq = tip.seq + 1
  const hashed = `{"schemaVersion":1,"seq":${seq},${body},"prev":"${tip.hash}"`
  const own = hash('sha256', `${hashed}}`, 'hex')
  return { text: `${hashed},"hash":"${own}"}\n`, tip: { seq, hash: own } }
}

const shape = /^(\{"schemaVersion":1,"seq":([1-9]\d{0,14}),.*,"prev":"([0-9a-f]{64})"),"hash":"([0-9a-f]{64})"\}$/s

/** Reads a line without its newline; null unless it is one that `lineBehind` made and nobody changed. */
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
