import { randomBytes } from 'node:crypto'

/** The digits of Crockford's base 32 in lower case, without letters that look alike. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** The kinds of objects that have ids. */
export type IdKind = 'agent' | 'job' | 'token' | 'contest' | 'suite' | 'schedule' | 'hook' | 'webhook' | 'lease' | 'session'
const prefixes: Readonly<Record<IdKind, string>> = {
  agent: 'a',
  job: 'j',
  token: 't',
  contest: 'c',
  suite: 'u',
  schedule: 's',
  hook: 'h',
  webhook: 'w',
  lease: 'l',
  session: 'e',
}

/** Patterns for the ids of each kind. Matching ids are safe as directory names. */
export const idPatterns: Readonly<Record<IdKind, RegExp>> = {
  agent: /^a-[0-9a-hjkmnp-tv-z]{20}$/,
  job: /^j-[0-9a-hjkmnp-tv-z]{20}$/,
  token: /^t-[0-9a-hjkmnp-tv-z]{20}$/,
  hook: /^h-[0-9a-hjkmnp-tv-z]{20}$/,
  webhook: /^w-[0-9a-hjkmnp-tv-z]{20}$/,
  lease: /^l-[0-9a-hjkmnp-tv-z]{20}$/,
  session: /^e-[0-9a-hjkmnp-tv-z]{20}$/,
  schedule: /^s-[0-9a-hjkmnp-tv-z]{20}$/,
  contest: /^c-[0-9a-hjkmnp-tv-z]{20}$/,
  suite: /^u-[0-9a-hjkmnp-tv-z]{20}$/,
}

/** Returns a new id with 100 random bits, which cannot be guessed and is never reused. */
export function newId(kind: IdKind): string {
  return `${prefixes[kind]}-${[...randomBytes(20)].map((byte) => letters[byte % 32]).join('')}`
}
