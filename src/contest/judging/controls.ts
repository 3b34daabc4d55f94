import type { Task } from './mapping.ts'
import { shuffled } from './shuffled.ts'

type Altered = Task['altered'][string]

/** The work that is shown under one label. */
export interface Shown {
  /** Empty: the work of nobody. */
  readonly participant: string
  /** For a control: how the submission was altered. */
  readonly altered?: Altered
}

const empty: Shown = { participant: '', altered: 'empty' }

/**
 * Returns the work that tries a judge by the rubric, all in one task: a submission and a copy of it that orders the judge to prefer it, one
 * under two labels, and an empty one.
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
