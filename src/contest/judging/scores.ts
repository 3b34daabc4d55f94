import { type Citation, readCitations } from './citations.ts'
import { exactKeys, kind, object, parseJson, text, Wrong } from './strict-json.ts'

/** A judge's valid answer, with a number on the scale for every label and dimension. */
export interface Scores {
  /** The scores: label → dimension → number. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The reviews: label → text. Labels without a review are absent. */
  readonly reviews: Readonly<Record<string, string>>
  readonly comment: string | null
  readonly citations: readonly Citation[]
}

export interface ScoreRules {
  readonly labels: readonly string[]
  readonly dimensions: readonly string[]
  readonly scale: { readonly min: number; readonly max: number }
}

export type ScoreResult = { readonly ok: true; readonly scores: Scores } | { readonly ok: false; readonly problem: string }

export const maxAnswerBytes = 1024 * 1024

/** Parses a judge's scores.json. If it differs from the requested form, returns one sentence about the problem. Never throws. */
export function parseScores(bytes: Uint8Array, rules: ScoreRules): ScoreResult {
  try {
    return { ok: true, scores: read(bytes, rules) }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, problem: error.message }
    throw error
  }
}

function read(bytes: Uint8Array, rules: ScoreRules): Scores {
  if (bytes.length > maxAnswerBytes) throw new Wrong('scores.json is larger than 1 MiB')
  const answer = object(parseJson(bytes, 'scores.json'), 'scores.json')
  exactKeys(answer, ['scores'], ['reviews', 'comment', 'citations'], 'scores.json')
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
    citations: readCitations(answer['citations'], rules),
  }
}

function score(value: unknown, place: string, { min, max }: ScoreRules['scale']): number {
  if (typeof value !== 'number') throw new Wrong(`${place} must be a number from ${min} to ${max}, not ${kind(value)}`)
  if (!Number.isFinite(value) || value < min || value > max) throw new Wrong(`${place} is ${value}, which is not from ${min} to ${max}`)
  return value
}
