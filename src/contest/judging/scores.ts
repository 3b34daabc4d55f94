import { printableName } from '../../text.ts'
import { duplicateKey } from './duplicate-keys.ts'

/** A judge's answer, found good: every label, every dimension, a number in the scale. */
export interface Scores {
  /** label → dimension → number */
  readonly scores: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** label → text; labels without a review are absent. */
  readonly reviews: Readonly<Record<string, string>>
  readonly comment: string | null
}

export interface ScoreRules {
  readonly labels: readonly string[]
  readonly dimensions: readonly string[]
  readonly scale: { readonly min: number; readonly max: number }
}

export type ScoreResult = { readonly ok: true; readonly scores: Scores } | { readonly ok: false; readonly problem: string }

export const maxAnswerBytes = 1024 * 1024
const maxReviewLength = 50_000

/** Reads the bytes of a judge's scores.json. Anything but exactly what was asked for is one sentence on what is wrong. Never throws. */
export function parseScores(bytes: Uint8Array, rules: ScoreRules): ScoreResult {
  try {
    return { ok: true, scores: read(bytes, rules) }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, problem: error.message }
    throw error
  }
}

class Wrong extends Error {}

function read(bytes: Uint8Array, rules: ScoreRules): Scores {
  if (bytes.length > maxAnswerBytes) throw new Wrong('scores.json is larger than 1 MiB')
  const answer = object(parseJson(bytes), 'scores.json')
  exactKeys(answer, ['scores'], ['reviews', 'comment'], 'scores.json')
  const byLabel = object(answer['scores'], 'scores')
  exactKeys(byLabel, rules.labels, [], 'scores')
  const scores: [string, Record<string, number>][] = rules.labels.map((label) => {
    const place = `scores.${label}`
    const byDimension = object(byLabel[label], place)
    exactKeys(byDimension, rules.dimensions, [], place)
    return [label, Object.fromEntries(rules.dimensions.map((id) => [id, score(byDimension[id], `${place}.${id}`, rules.scale)]))]
  })
  const reviews = Object.hasOwn(answer, 'reviews') ? object(answer['reviews'], 'reviews') : {}
  exactKeys(reviews, [], rules.labels, 'reviews')
  return {
    scores: Object.fromEntries(scores),
    reviews: Object.fromEntries(Object.entries(reviews).map(([label, review]) => [label, text(review, `reviews.${label}`)])),
    comment: Object.hasOwn(answer, 'comment') ? text(answer['comment'], 'comment') : null,
  }
}

function parseJson(bytes: Uint8Array): unknown {
  let json: string
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Wrong('scores.json is not UTF-8')
  }
  if (json.trim() === '') throw new Wrong('scores.json is empty')
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    if (/\b(NaN|Infinity)\b/.test(json)) throw new Wrong('scores.json is not JSON: NaN and Infinity are no numbers there')
    throw new Wrong(`scores.json is not JSON (${oneLine((error as Error).message)})`)
  }
  const twice = duplicateKey(json)
  if (twice !== null) throw new Wrong(`scores.json has the key ${quote(twice)} twice in one object`)
  return value
}

function object(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Wrong(`${place} must be an object, not ${kind(value)}`)
}

function exactKeys(value: Record<string, unknown>, needed: readonly string[], allowed: readonly string[], place: string): void {
  const missing = needed.filter((each) => !Object.hasOwn(value, each))
  if (missing.length > 0) throw new Wrong(`${place} is missing ${list(missing)}`)
  const known = new Set([...needed, ...allowed])
  const unknown = Object.keys(value).filter((each) => !known.has(each))
  if (unknown.length > 0) throw new Wrong(`${place} has ${list(unknown.map(quote))}, which nobody asked for`)
}

function score(value: unknown, place: string, { min, max }: ScoreRules['scale']): number {
  if (typeof value !== 'number') throw new Wrong(`${place} must be a number from ${min} to ${max}, not ${kind(value)}`)
  if (!Number.isFinite(value) || value < min || value > max) throw new Wrong(`${place} is ${value}, which is not from ${min} to ${max}`)
  return value
}

function text(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Wrong(`${place} must be text, not ${kind(value)}`)
  if (value.length > maxReviewLength) throw new Wrong(`${place} is longer than ${maxReviewLength} characters`)
  return value
}

function kind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return { string: 'text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof value as string] ?? 'nothing'
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}

function quote(name: string): string {
  return JSON.stringify(printableName(name.slice(0, 60)))
}

function oneLine(message: string): string {
  return printableName(message).slice(0, 160)
}
