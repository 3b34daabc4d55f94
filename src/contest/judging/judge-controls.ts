import type { Task } from './mapping.ts'
import { shuffled } from './shuffled.ts'

type Altered = Task['altered'][string]

/** The work that is shown under one label. */
export interface Shown {
  /** The participant; empty for the empty submission. */
  readonly participant: string
  /** The alteration of the submission, for a control. */
  readonly altered?: Altered
}

const empty: Shown = { participant: '', altered: 'empty' }

/**
 * Returns the work for a control by the rubric, all in one task: a submission, a copy of it with an order to the judge to prefer the copy,
 * a submission under two labels, and an empty one.
 */
export function controlSubjects(seen: readonly string[]): Shown[] {
  const [one = '', other = one] = shuffled(seen)
  const originals = one === other ? [{ participant: one }] : [{ participant: one }, { participant: other }]
  return [...originals, { participant: one, altered: 'planted' }, { participant: other, altered: 'again' }, empty]
}

/** Returns the same controls as pairs. */
export function controlPairs(seen: readonly string[]): Shown[][] {
  const [one = '', other = one, third = one] = shuffled(seen)
  return [
    [{ participant: one }, { participant: one, altered: 'planted' }],
    [{ participant: other }, { participant: other, altered: 'again' }],
    [{ participant: third }, empty],
  ]
}
