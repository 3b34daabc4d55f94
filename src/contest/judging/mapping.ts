import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeJson } from '../../files/atomic.ts'
import { safeNamePattern } from '../../files/safe-name.ts'

/** It becomes a part of paths, and a contest that was cloned may have brought the file. */
const safe = z.string().regex(safeNamePattern)
const label = z.string().regex(/^[A-Z]{1,4}$/)

const taskSchema = z.strictObject({
  /** One of its judge's tasks. */
  id: safe,
  judge: safe,
  /** What it is asked for: scores of all by the rubric, or which of two is better. */
  mode: z.enum(['rubric', 'pairwise']).default('rubric'),
  /** label → participant; nobody, of the empty submission. */
  labels: z.record(label, z.string()),
  /** The labels as the judge looks at them. */
  order: z.array(label),
  /** True: it tries the judge, and nothing of it is ranked. */
  control: z.boolean().default(false),
  /** Of a control, label → what was made of the submission: a copy with an order to the judge, the same once more, or nothing at all. */
  altered: z.record(label, z.enum(['planted', 'again', 'empty'])).default({}),
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

/** Null: there is none, or none that can be used. */
export async function readMapping(file: string): Promise<Mapping | null> {
  try {
    return mappingSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
