import { controlPairs, controlSubjects, type Shown } from './controls.ts'
import { labelAt, type Mapping, type Task } from './mapping.ts'
import { type Pair, pairsFor } from './pairs.ts'
import { shuffled } from './shuffled.ts'

/** Whether a judge must not see the submission of a participant. */
export type IsApart = (judge: string, participant: string) => boolean

/** What judges are asked for. */
export interface Dealing {
  readonly mode: 'rubric' | 'pairwise' | 'both'
  /** How many pairs each judge compares; by default all pairs of up to six submissions, and 15 of more. */
  readonly comparisons?: number | undefined
  /** How often each judge scores by the rubric, in another order each time. */
  readonly repeats: number
  /** Whether judges are tried, too. */
  readonly controls: boolean
  readonly identity?: Mapping['identity']
  readonly isApart: IsApart
}

const rubricOfAll: Dealing = { mode: 'rubric', repeats: 1, controls: false, isApart: () => false }

/**
 * Deals labels at random, for each judge its own. Over the judges every submission has every label as often as every other, or once more:
 * a judge that prefers what it sees first, or a letter, favours nobody.
 */
export function dealLabels(
  about: { readonly judging: number; readonly round: number },
  submissions: readonly { readonly participant: string; readonly tree: string }[],
  judges: readonly string[],
  dealing: Dealing = rubricOfAll,
): Mapping {
  const { mode, repeats, controls, identity = 'flag' } = dealing
  return withJudges(
    { schemaVersion: 3, ...about, mode, repeats, controls, identity, submissions: shuffled(submissions), tasks: [] },
    judges,
    dealing,
  )
}

/** Deals labels to further judges; those who have some keep theirs. A judge that may see nothing gets no task. */
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

/** Its scores by the rubric, once for each repeat, and a control somewhere among them. */
function tasksByRubric(judge: string, seen: readonly string[], tasks: readonly Task[], { repeats, mode, controls }: Dealing): Task[] {
  const own: Omit<Task, 'id'>[] = []
  while (own.length < repeats) own.push(oneByRubric(judge, seen, [...tasks, ...own]))
  // Where pairs rank, pairs try the judge.
  if (!controls || mode === 'both') return own.map((task, index) => ({ id: String(index + 1), ...task }))
  const control = taskOf(judge, 'rubric', shuffled(controlSubjects(seen)), true)
  return shuffled([...own, control]).map((task, index) => ({ id: String(index + 1), ...task }))
}

/** Its order is the one of all, begun where the fewest judges begin: a Latin square. */
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

/** Each pair twice, in both orders. Controls are among them, and nothing tells which they are. */
function tasksByPairs(
  judge: string,
  seen: readonly string[],
  tasks: readonly Task[],
  { comparisons, controls }: Pick<Dealing, 'comparisons' | 'controls'>,
): Task[] {
  // Of the two orders, one.
  const before = tasks
    .filter(({ mode, control, id }) => mode === 'pairwise' && !control && id.endsWith('-1'))
    .flatMap(({ labels }) => pairIn(labels))
  const pairs = pairsFor(seen, before, comparisons).map(([a, b]) => ({ shown: [{ participant: a }, { participant: b }], control: false }))
  const tried = controls ? controlPairs(seen).map((shown) => ({ shown, control: true })) : []
  return shuffled(
    shuffled([...pairs, ...tried]).flatMap(({ shown, control }, index) =>
      [shown, shown.toReversed()].map((order, place): Task => {
        const id = `pair-${index + 1}-${place + 1}`
        return { id, ...taskOf(judge, 'pairwise', order, control, shuffled(order)) }
      }),
    ),
  )
}

/** A task that shows some work in an order, under labels by `labelled`: those of a pair say nothing of the order. */
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
