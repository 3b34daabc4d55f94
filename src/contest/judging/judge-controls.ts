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

/** The number of trials after which a judge that obeys planted orders can be told from a fair one. See src/contest/ranking/cards/trial.ts. */
const trialsByRubric = 3
const trialsByPairs = 5

/** Returns the number of trials with a planted order that each judge of a contest gets. */
export function trialsOf(controls: boolean | number, mode: Task['mode']): number {
  if (typeof controls === 'number') return controls
  return controls ? (mode === 'rubric' ? trialsByRubric : trialsByPairs) : 0
}

/**
 * Returns the work for controls by the rubric, one list for each task: a submission, a copy of it with an order to the judge to prefer the
 * copy, a submission under two labels, and an empty one. Trials use different submissions, because each copy has one of several orders.
 */
export function controlSubjects(seen: readonly string[], trials: number): Shown[][] {
  const order = shuffled(seen)
  return Array.from({ length: trials }, (_, trial) => {
    const [one = '', other = one] = [order[trial % order.length], order[(trial + 1) % order.length]]
    const originals = one === other ? [{ participant: one }] : [{ participant: one }, { participant: other }]
    return [...originals, { participant: one, altered: 'planted' }, { participant: other, altered: 'again' }, empty]
  })
}

/** Returns the same controls as pairs. Only the planted order is tried several times. */
export function controlPairs(seen: readonly string[], trials: number): Shown[][] {
  const order = shuffled(seen)
  const at = (place: number): string => order[place % order.length] ?? ''
  return [
    ...Array.from({ length: trials }, (_, trial): Shown[] => [{ participant: at(trial) }, { participant: at(trial), altered: 'planted' }]),
    [{ participant: at(1) }, { participant: at(1), altered: 'again' }],
    [{ participant: at(2) }, empty],
  ]
}
