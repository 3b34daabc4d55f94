import { redact } from '../../errors.ts'
import { printableName } from '../../text.ts'
import { replaceUnseen } from '../../unseen.ts'

/** One place that holds a secret, or what looks like one. The value itself is never in it. */
export interface Finding {
  /** Relative to what was scanned, as it may be shown: no secret, no character that a reader does not see. */
  readonly path: string
  /** 1 is the first; null inside of a compressed file, or if the path itself holds it. */
  readonly line: number | null
  /** Its last line, if that is known to be another. */
  readonly endLine?: number
  /** Just behind it, in the last line. */
  readonly endColumn?: number
  /** In characters, from 1; in bytes for what was in play. */
  readonly column: number | null
  /** `in-play`, or the rule that found it. */
  readonly rule: string
  /** The name of the credential that was in play, or what the rule takes it for. */
  readonly what: string
  /** At most the first four characters of what a rule found; empty for what was in play. */
  readonly masked: string
}

/** What a scan came to. Bounded: what is beyond is counted. */
export interface ScanResult {
  readonly findings: readonly Finding[]
  /** Findings that are not listed. */
  readonly more: number
  /** What was not looked into, or not by the rules, and why. */
  readonly notLooked: readonly { readonly path: string; readonly why: string }[]
  readonly notLookedCount: number
  readonly files: number
}

export const inPlayRule = 'in-play'

/** A path as a finding shows it. */
export function shownPath(path: string): string {
  return printableName(redact(path))
}

/** What may be seen of a value that a rule found. */
export function maskedValue(value: string): string {
  const start = replaceUnseen(value.slice(0, 4), () => '?')
  return value.length < 16 ? '…' : `${start}…`
}

/** `src/x.ts:3 (github token, ghp_…)`. */
export function findingText(each: Finding): string {
  const place = each.line === null ? each.path : `${each.path}:${each.line}`
  return each.rule === inPlayRule ? `${place} (${each.what}, which was in play)` : `${place} (${each.what}, ${each.masked})`
}
