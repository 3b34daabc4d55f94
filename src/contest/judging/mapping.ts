import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeJson } from '../../files/atomic.ts'
import { safeNamePattern } from '../../files/safe-name.ts'

/** A name that becomes part of paths, and may come from the file of a cloned contest. */
const safe = z.string().regex(safeNamePattern)
const label = z.string().regex(/^[A-Z]{1,4}$/)

const taskSchema = z.strictObject({
  /** Unique among the tasks of its judge. */
  id: safe,
  judge: safe,
  /** The requested answer: scores of all by the rubric, or which of two is better. */
  mode: z.enum(['rubric', 'pairwise']).default('rubric'),
  /** label → participant; an empty name for the empty submission. */
  labels: z.record(label, z.string()),
  /** The labels in the order in which the judge sees them. */
  order: z.array(label),
  /** True: it tries the judge and does not count for the ranking. */
  control: z.boolean().default(false),
  /** For a control, label → how the submission was altered: a copy with an order to the judge, the same once more, or nothing at all. */
  altered: z.record(label, z.enum(['planted', 'again', 'empty'])).default({}),
})
/** One request to a judge about some submissions, in its own cell. */
export type Task = z.output<typeof taskSchema>

/** mapping.json: whose submission each judge sees under which label. Host-only, 0600, in no cell and in no output before the report. */
const mappingSchema = z.strictObject({
  schemaVersion: z.literal(3),
  judging: z.int(),
  round: z.int(),
  /** In the order in which labels were dealt; each judge starts at another place in it. */
  submissions: z.array(z.strictObject({ participant: z.string(), tree: z.string() })),
  /** The answers that judges were asked for. */
  mode: z.enum(['rubric', 'pairwise', 'both']).default('rubric'),
  /** How often each judge scores by the rubric. */
  repeats: z.int().min(1).default(1),
  controls: z.boolean().default(false),
  identity: z.enum(['flag', 'redact', 'ignore']).default('flag'),
  tasks: z.array(taskSchema),
})
export type Mapping = z.output<typeof mappingSchema>

/** A, B, … Z, AA, AB, … */
export function labelAt(index: number): string {
  let label = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) label = String.fromCharCode(65 + ((rest - 1) % 26)) + label
  return label
}

export async function writeMapping(file: string, mapping: Mapping): Promise<void> {
  await writeJson(file, mapping, { mode: 0o600 })
}

/** Returns the mapping; null if there is none or it is not usable. */
export async function readMapping(file: string): Promise<Mapping | null> {
  try {
    return mappingSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
