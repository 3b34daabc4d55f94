import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeJson } from '../../files/atomic.ts'

const taskSchema = z.strictObject({
  /** One of its judge's tasks: a safe name. */
  id: z.string(),
  judge: z.string(),
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
  tasks: z.array(taskSchema),
})
export type Mapping = z.output<typeof mappingSchema>

/** A judge that scores all submissions at once has one task. */
const onlyTask = '1'

/** A, B, … Z, AA, AB, … */
export function labelAt(index: number): string {
  let label = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) label = String.fromCharCode(65 + ((rest - 1) % 26)) + label
  return label
}

/** A new list in an order that nobody can foretell (Fisher–Yates over a cryptographic source). */
export function shuffled<T>(list: readonly T[]): T[] {
  const result = [...list]
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    const held = result[last] as T
    result[last] = result[other] as T
    result[other] = held
  }
  return result
}

/**
 * Deals labels at random, for each judge its own. Over the judges every submission has every label as often as every other, or once more:
 * a judge that prefers what it sees first, or a letter, favours nobody.
 */
export function dealLabels(
  about: { readonly judging: number; readonly round: number },
  submissions: readonly { readonly participant: string; readonly tree: string }[],
  judges: readonly string[],
  isApart: IsApart = () => false,
): Mapping {
  return withJudges({ schemaVersion: 3, ...about, submissions: shuffled(submissions), tasks: [] }, judges, isApart)
}

/** Whether a judge must not see the submission of a participant. */
export type IsApart = (judge: string, participant: string) => boolean

/** Deals labels to further judges; those who have some keep theirs. A judge that may see nothing gets no task. */
export function withJudges(mapping: Mapping, joined: readonly string[], isApart: IsApart = () => false): Mapping {
  const order = mapping.submissions.map((each) => each.participant)
  const tasks = [...mapping.tasks]
  // A Latin square: its rows are the order, begun at each of its places in turn.
  const begun = order.map((participant) => tasks.filter(({ labels }) => labels[labelAt(0)] === participant).length)
  for (const judge of shuffled(joined)) {
    const places = [...order.keys()].filter((each) => !isApart(judge, order[each] ?? ''))
    if (places.length === 0) continue
    const fewest = Math.min(...places.map((each) => begun[each] ?? 0))
    const first = shuffled(places.filter((each) => begun[each] === fewest))[0] ?? 0
    begun[first] = (begun[first] ?? 0) + 1
    const from = places.indexOf(first)
    const labels = places.map((_, index) => [labelAt(index), order[places[(from + index) % places.length] ?? 0] ?? ''] as const)
    tasks.push({ id: onlyTask, judge, labels: Object.fromEntries(labels), order: labels.map(([label]) => label) })
  }
  return { ...mapping, tasks }
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
