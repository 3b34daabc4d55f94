import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeJson } from '../../files/atomic.ts'
import { safeNamePattern } from '../../files/safe-name.ts'
import { storedOrNull } from '../../files/stored-json.ts'

/** A name that becomes part of paths and may come from a file of a cloned contest. */
const safe = z.string().regex(safeNamePattern)
const label = z.string().regex(/^[A-Z]{1,4}$/)

const taskSchema = z.strictObject({
  /** The ID of the task, unique among the tasks of its judge. */
  id: safe,
  judge: safe,
  /** The requested answer: scores for all submissions by the rubric, or the better one of two. */
  mode: z.enum(['rubric', 'pairwise']).default('rubric'),
  /** The submission under each label: label → participant, or an empty name for the empty submission. */
  labels: z.record(label, z.string()),
  /** The labels in the order in which the judge sees them. */
  order: z.array(label),
  /** True: the task tests the judge and does not count for the ranking. */
  control: z.boolean().default(false),
  /** The altered submissions of a control, by label: a copy with an order to the judge, the same work again, or an empty submission. */
  altered: z.record(label, z.enum(['planted', 'again', 'empty'])).default({}),
})
/** One request to a judge about some submissions, in its own cell. */
export type Task = z.output<typeof taskSchema>

/**
 * The schema of mapping.json: the author of each submission that a judge sees. Host-only, 0600, in no cell and in no output before the
 * report.
 */
const mappingSchema = z.strictObject({
  schemaVersion: z.literal(3),
  judging: z.int(),
  round: z.int(),
  /** The submissions, in the order in which labels were dealt. Each judge starts at a different position in that order. */
  submissions: z.array(z.strictObject({ participant: z.string(), tree: z.string() })),
  /** The kinds of answers that judges were asked for. */
  mode: z.enum(['rubric', 'pairwise', 'both']).default('rubric'),
  /** The number of times that each judge scores by the rubric. */
  repeats: z.int().min(1).default(1),
  /** Whether judges had controls, or the number of trials with a planted order. */
  controls: z.union([z.boolean(), z.int()]).default(false),
  identity: z.enum(['flag', 'redact', 'ignore']).default('flag'),
  orders: z.enum(['flag', 'redact', 'ignore']).default('flag'),
  tasks: z.array(taskSchema),
})
export type Mapping = z.output<typeof mappingSchema>

export async function writeMapping(file: string, mapping: Mapping): Promise<void> {
  await writeJson(file, mapping, { mode: 0o600 })
}

/** Returns the mapping; null if the file does not exist or is not usable. */
export async function readMapping(file: string): Promise<Mapping | null> {
  return storedOrNull(file, await readFile(file, 'utf8').catch(() => null), mappingSchema, 3)
}
