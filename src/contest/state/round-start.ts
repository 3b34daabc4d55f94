import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { PaddockError } from '../../errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { safeNamePattern } from '../../files/safe-name.ts'
import { outcomeSchema } from '../run/outcome.ts'
import type { Layout } from './layout.ts'

/** A seal reference. Its name becomes part of paths, and the file may come from a cloned contest. */
const sealRefSchema = z.strictObject({
  participant: z.string().regex(safeNamePattern),
  round: z.int().min(1),
  tree: z.string().regex(/^[0-9a-f]{64}$/),
})

const startSchema = z.strictObject({
  /** The seal that its `out` begins with; null: it begins empty. */
  from: sealRefSchema.nullable(),
  /**
   * It is not run, and the seal of `from`, if any, also counts in this round: with the outcome of its run, and the hashes of the texts that
   * it was given.
   */
  carried: z.strictObject({ outcome: outcomeSchema, given: z.record(z.string(), z.string()).optional() }).nullable(),
  /** Sealed work that it sees read-only, in the order in which it sees it. */
  donors: z.array(sealRefSchema),
  /** The text of its FEEDBACK.md; null: none. */
  feedback: z.string().nullable(),
})
/** The state that a participant starts a round with. */
export type Start = z.output<typeof startSchema>

const roundSchema = z.strictObject({ schemaVersion: z.literal(1), starts: z.record(z.string(), startSchema) })
/** By participant. Participants that are not in it start from nothing. */
export type Starts = Readonly<Record<string, Start>>

/** Returns what the participants of a round start with. Throws FILES_FAILED if round.json is not valid. */
export async function readStarts(layout: Layout, round: number): Promise<Starts> {
  const file = layout.roundStart(round)
  try {
    return roundSchema.parse(JSON.parse(await readFile(file, 'utf8'))).starts
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new PaddockError('FILES_FAILED', `${file} does not describe the start of a round.`, {
      hint: 'Restore it, or start over with --fresh',
      cause: error,
    })
  }
}

export async function writeStarts(layout: Layout, round: number, starts: Starts): Promise<void> {
  await writeJson(layout.roundStart(round), { schemaVersion: 1, starts })
}

/** Returns what one participant starts with; null: nothing. Participants may be named `constructor`. */
export function startOf(starts: Starts, name: string): Start | null {
  return Object.hasOwn(starts, name) ? (starts[name] ?? null) : null
}
