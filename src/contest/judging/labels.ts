import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeJson } from '../../files/atomic.ts'
import { type Pair, pairsFor } from './pairs.ts'
import { shuffled } from './shuffled.ts'

const taskSchema = z.strictObject({
  /** One of its judge's tasks: a safe name. */
  id: z.string(),
  judge: z.string(),
  /** What it is asked for: scores of all by the rubric, or which of two is better. */
  mode: z.enum(['rubric', 'pairwise']).default('rubric'),
  /** label → participant */
  labels: z.record(z.string(), z.string()),
  /** The labels as the judge looks at them. */
  order: z.array(z.string()),
})
/** One judge, asked once about some submissions, in a cell of its own. */
export type Task = z.output<typeof taskSchema>

/** mapping.json: whose submission each judge sees under which label. Host-only, 0600, in no cell and in no output before the report. */
const mappingSchema = z.strictObject({
  schemaVersion: z.literal(3),
  judging: z.int(),
  round: z.int(),
  /** In the order that the labels were dealt by: each judge begins at another place of it. */
  submissions: z.array(z.strictObject({ participant: z.string(), tree: z.string() })),
  /** What judges were asked for. */
  mode: z.enum(['rubric', 'pairwise', 'both']).default('rubric'),
  tasks: z.array(taskSchema),
})
export type Mapping = z.output<typeof mappingSchema>

/** A judge scores all submissions at once, in one task. */
const rubricTask = '1'

/** A, B, … Z, AA, AB, … */
export function labelAt(index: number): string {
  let label = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) label = String.fromCharCode(65 + ((rest - 1) % 26)) + label
  return label
}

/** Whether a judge must not see the submission of a participant. */
export type IsApart = (judge: string, participant: string) => boolean

/** What judges are asked for. */
export interface Dealing {
  readonly mode: 'rubric' | 'pairwise' | 'both'
  /** How many pairs each judge compares; by default all pairs of up to six submissions, and 15 of more. */
  readonly comparisons?: number | undefined
  readonly isApart: IsApart
}

const rubricOfAll: Dealing = { mode: 'rubric', isApart: () => false }

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
  return withJudges({ schemaVersion: 3, ...about, mode: dealing.mode, submissions: shuffled(submissions), tasks: [] }, judges, dealing)
}

/** Deals labels to further judges; those who have some keep theirs. A judge that may see nothing gets no task. */
export function withJudges(mapping: Mapping, joined: readonly string[], dealing: Dealing = rubricOfAll): Mapping {
  const tasks = [...mapping.tasks]
  const order = mapping.submissions.map((each) => each.participant)
  for (const judge of shuffled(joined)) {
    const seen = order.filter((each) => !dealing.isApart(judge, each))
    if (seen.length === 0) continue
    if (dealing.mode !== 'pairwise') tasks.push(taskByRubric(judge, seen, tasks))
    if (dealing.mode !== 'rubric') tasks.push(...tasksByPairs(judge, seen, tasks, dealing.comparisons))
  }
  return { ...mapping, tasks }
}

/** Its order is the one of all, begun where the fewest judges begin: a Latin square. */
function taskByRubric(judge: string, seen: readonly string[], tasks: readonly Task[]): Task {
  const begun = new Map(seen.map((each) => [each, 0]))
  for (const { mode, labels } of tasks) {
    const first = labels[labelAt(0)] ?? ''
    const times = begun.get(first)
    if (mode === 'rubric' && times !== undefined) begun.set(first, times + 1)
  }
  const fewest = Math.min(...begun.values())
  const from = seen.indexOf(shuffled(seen.filter((each) => begun.get(each) === fewest))[0] ?? '')
  const labels = seen.map((_, index) => [labelAt(index), seen[(from + index) % seen.length] ?? ''] as const)
  return { id: rubricTask, judge, mode: 'rubric', labels: Object.fromEntries(labels), order: labels.map(([label]) => label) }
}

/** Each pair twice, in both orders, under labels that say nothing of the order. */
function tasksByPairs(judge: string, seen: readonly string[], tasks: readonly Task[], comparisons: number | undefined): Task[] {
  // Of the two orders, one.
  const before = tasks.filter(({ mode, id }) => mode === 'pairwise' && id.endsWith('-1')).flatMap(({ labels }) => pairIn(labels))
  const pairs = pairsFor(seen, before, comparisons)
  return shuffled(
    pairs.flatMap(([first, second], index) =>
      [[first, second] as const, [second, first] as const].map((shown, order): Task => {
        const [a, b] = shuffled(shown)
        const labels = { [labelAt(0)]: a ?? '', [labelAt(1)]: b ?? '' }
        return {
          id: `pair-${index + 1}-${order + 1}`,
          judge,
          mode: 'pairwise',
          labels,
          order: shown.map((name) => labelAt(name === a ? 0 : 1)),
        }
      }),
    ),
  )
}

function pairIn(labels: Task['labels']): Pair[] {
  const [a, b] = Object.values(labels)
  return a === undefined || b === undefined ? [] : [[a, b]]
}

export async function writeMapping(file: string, mapping: Mapping): Promise<void> {
  await writeJson(file, mapping, { mode: 0o600 })
}

/** Null: there is none, or none that can be used. */
export async function readMapping(file: string): Promise<Mapping | null> {
  try {
    return mappingSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
