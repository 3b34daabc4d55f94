import { redact } from '../../base/errors.ts'
import { printableName } from '../../base/text.ts'
import { replaceUnseen } from '../../base/unseen.ts'

/** A place with a secret, or with text that looks like one. It never contains the value itself. */
export interface Finding {
  /** The path relative to the scanned directory, in a form that can be shown: without secrets and invisible characters. */
  readonly path: string
  /** The line, counted from 1; null inside a compressed file, or if the path itself contains the secret. */
  readonly line: number | null
  /** The last line, if it is known to differ from the first. */
  readonly endLine?: number
  /** The column after the end, in the last line. */
  readonly endColumn?: number
  /** The column, counted from 1, in characters; for a credential in play, in bytes. */
  readonly column: number | null
  /** `in-play`, or the rule that matched. */
  readonly rule: string
  /** The name of the credential in play, or the kind of secret according to the rule. */
  readonly what: string
  /** At most the first four characters of a value found by a rule; empty for a credential in play. */
  readonly masked: string
}

/** The result of a scan. Its lists are limited; further entries are only counted. */
export interface ScanResult {
  readonly findings: readonly Finding[]
  /** The number of findings that are not listed. */
  readonly more: number
  /** Files that were not searched, or were searched without the rules, with the reasons. */
  readonly notLooked: readonly { readonly path: string; readonly why: string }[]
  readonly notLookedCount: number
  readonly files: number
}

export const inPlayRule = 'in-play'

/** Returns a path in the form of a finding. */
export function shownPath(path: string): string {
  return printableName(redact(path))
}

/** Returns the part of a value found by a rule that may be shown. */
export function maskedValue(value: string): string {
  const start = replaceUnseen(value.slice(0, 4), () => '?')
  return value.length < 16 ? '…' : `${start}…`
}

/** Returns a text such as `src/x.ts:3 (github token, ghp_…)`. */
export function findingText(each: Finding): string {
  const place = each.line === null ? each.path : `${each.path}:${each.line}`
  return each.rule === inPlayRule ? `${place} (${each.what}, which the cell had)` : `${place} (${each.what}, ${each.masked})`
}
