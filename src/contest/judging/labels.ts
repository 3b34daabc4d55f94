import { labelAt } from '../state/label.ts'
import { controlPairs, controlSubjects, type Shown, trialsOf } from './judge-controls.ts'
import { type Pair, pairsFor } from './judge-pairs.ts'
import type { Mapping, Task } from './mapping.ts'
import { shuffled } from './shuffled.ts'

/** Returns whether a judge must not see the submission of a participant. */
export type IsApart = (judge: string, participant: string) => boolean

/** The settings by which judges get tasks. */
export interface Dealing {
  readonly mode: 'rubric' | 'pairwise' | 'both'
  /**
   * The number of pairs that each judge compares. Default: all pairs of up to six submissions; for more, 15 or one for each submission,
   * whichever is larger.
   */
  readonly comparisons?: number | undefined
  /** The number of times that each judge scores by the rubric, in a different order each time. */
  readonly repeats: number
  /** Whether judges get controls as well, or the number of trials with a planted order. */
  readonly controls: boolean | number
  readonly identity?: Mapping['identity']
  readonly orders?: Mapping['orders']
  readonly isApart: IsApart
}

const rubricOfAll: Dealing = { mode: 'rubric', repeats: 1, controls: false, isApart: () => false }

/**
 * Deals labels at random, separately for each judge. Over all judges, every submission gets every label equally often, give or take one, so
 * that a judge's preference for the first submission or for a letter favours no participant.
 */
export function dealLabels(
  about: { readonly judging: number; readonly round: number },
  submissions: readonly { readonly participant: string; readonly tree: string }[],
  judges: readonly string[],
  dealing: Dealing = rubricOfAll,
): Mapping {
  const { mode, repeats, controls, identity = 'flag', orders = 'flag' } = dealing
  return withJudges(
    { schemaVersion: 3, ...about, mode, repeats, controls, identity, orders, submissions: shuffled(submissions), tasks: [] },
    judges,
    dealing,
  )
}

/** Deals labels to further judges. Existing judges keep theirs. A judge that may not see any submission gets no task. */
export function withJudges(mapping: Mapping, joined: readonly string[], dealing: Dealing = rubricOfAll): Mapping {
  const tasks = [...mapping.tasks]
  const order = mapping.submissions.map((each) => each.participant)
  for (const judge of shuffled(joined)) {
    const seen = order.filter((each) => !dealing.isApart(judge, each))
    if (seen.length === 0) continue
    if (dealing.mode !== 'pairwise') tasks.push(...tasksByRubric(judge, seen, tasks, dealing))
    if (dealing.mode !== 'rubric') tasks.push(...tasksByPairs(judge, seen, tasks, dealing))
  }
  return { ...mapping, tasks }
}

/** Returns a judge's rubric tasks, one for each repeat, with controls at random positions among them. */
function tasksByRubric(judge: string, seen: readonly string[], tasks: readonly Task[], { repeats, mode, controls }: Dealing): Task[] {
  const own: Omit<Task, 'id'>[] = []
  while (own.length < repeats) own.push(oneByRubric(judge, seen, [...tasks, ...own]))
  // If pairs decide the ranking, the controls are pairs as well.
  if (!controls || mode === 'both') return own.map((task, index) => ({ id: String(index + 1), ...task }))
  const tried = controlSubjects(seen, trialsOf(controls, 'rubric')).map((shown) => taskOf(judge, 'rubric', shuffled(shown), true))
  return shuffled([...own, ...tried]).map((task, index) => ({ id: String(index + 1), ...task }))
}

/** Returns a task in the common order, rotated to start with the submission that the fewest tasks start with so far (a Latin square). */
function oneByRubric(judge: string, seen: readonly string[], tasks: readonly Omit<Task, 'id'>[]): Omit<Task, 'id'> {
  const begun = new Map(seen.map((each) => [each, 0]))
  for (const { mode, control, labels } of tasks) {
    const first = labels[labelAt(0)] ?? ''
    const times = begun.get(first)
    if (mode === 'rubric' && !control && times !== undefined) begun.set(first, times + 1)
  }
  const fewest = Math.min(...begun.values())
  const from = seen.indexOf(shuffled(seen.filter((each) => begun.get(each) === fewest))[0] ?? '')
  const order = seen.map((_, index) => ({ participant: seen[(from + index) % seen.length] ?? '' }))
  return taskOf(judge, 'rubric', order, false)
}

/** Returns each pair twice, once in each order. Controls are mixed in and cannot be told apart from the pairs. */
function tasksByPairs(
  judge: string,
  seen: readonly string[],
  tasks: readonly Task[],
  { comparisons, controls }: Pick<Dealing, 'comparisons' | 'controls'>,
): Task[] {
  // Only one of the two orders, so that each pair counts once.
  const before = tasks
    .filter(({ mode, control, id }) => mode === 'pairwise' && !control && id.endsWith('-1'))
    .flatMap(({ labels }) => pairIn(labels))
  const pairs = pairsFor(seen, before, comparisons).map(([a, b]) => ({ shown: [{ participant: a }, { participant: b }], control: false }))
  const trials = trialsOf(controls, 'pairwise')
  const tried = trials > 0 ? controlPairs(seen, trials).map((shown) => ({ shown, control: true })) : []
  return shuffled(
    shuffled([...pairs, ...tried]).flatMap(({ shown, control }, index) =>
      [shown, shown.toReversed()].map((order, place): Task => {
        const id = `pair-${index + 1}-${place + 1}`
        return { id, ...taskOf(judge, 'pairwise', order, control, shuffled(order)) }
      }),
    ),
  )
}

/** Returns a task that shows work in an order. Labels follow `labelled`. The labels of a pair reveal nothing about the order. */
function taskOf(
  judge: string,
  mode: Task['mode'],
  order: readonly Shown[],
  control: boolean,
  labelled: readonly Shown[] = order,
): Omit<Task, 'id'> {
  const labels = Object.fromEntries(labelled.map(({ participant }, index) => [labelAt(index), participant]))
  const altered = Object.fromEntries(
    labelled.flatMap((each, index) => (each.altered === undefined ? [] : [[labelAt(index), each.altered]])),
  )
  return { judge, mode, labels, order: order.map((each) => labelAt(labelled.indexOf(each))), control, altered }
}

function pairIn(labels: Task['labels']): Pair[] {
  const [a, b] = Object.values(labels)
  return a === undefined || b === undefined ? [] : [[a, b]]
}
