import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeJson } from '../../files/atomic.ts'

/** mapping.json: who stands behind which label in one judging. Host-only, 0600, in no cell and in no output before the report. */
const mappingSchema = z.strictObject({
  schemaVersion: z.literal(1),
  judging: z.int(),
  round: z.int(),
  submissions: z.array(z.strictObject({ label: z.string(), participant: z.string(), tree: z.string() })),
  /** The order in which each judge is told to look at the labels. */
  orders: z.record(z.string(), z.array(z.string())),
})
export type Mapping = z.output<typeof mappingSchema>

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

/** Deals labels to submissions, and to each judge an order of its own. */
export function dealLabels(
  about: { readonly judging: number; readonly round: number },
  submissions: readonly { readonly participant: string; readonly tree: string }[],
  judges: readonly string[],
): Mapping {
  const dealt = shuffled(submissions).map((each, index) => ({ label: labelAt(index), ...each }))
  const labels = dealt.map((each) => each.label)
  return { schemaVersion: 1, ...about, submissions: dealt, orders: Object.fromEntries(judges.map((judge) => [judge, shuffled(labels)])) }
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
