import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { safeNamePattern } from '../../files/safe-name.ts'
import { NewerFile, parseStored } from '../../files/stored-json.ts'
import type { Layout } from '../config/contest-layout.ts'
import { outcomeSchema } from './participant-outcome.ts'

/** A reference to a seal. Its names become parts of paths, and the file may come from a cloned contest. */
const sealRefSchema = z.strictObject({
  participant: z.string().regex(safeNamePattern),
  round: z.int().min(1),
  tree: z.string().regex(/^[0-9a-f]{64}$/),
})

const startSchema = z.strictObject({
  /** The seal whose files `out` starts with; null: `out` starts empty. */
  from: sealRefSchema.nullable(),
  /**
   * Set if the participant is not run, and the seal in `from`, if any, also counts in this round: the outcome of the earlier run, and the
   * hashes of the texts that the participant got in it.
   */
  carried: z.strictObject({ outcome: outcomeSchema, given: z.record(z.string(), z.string()).optional() }).nullable(),
  /** Sealed work that the participant sees read-only, in this order. */
  donors: z.array(sealRefSchema),
  /** The text of the participant's FEEDBACK.md; null: there is no such file. */
  feedback: z.string().nullable(),
})
/** The state with which a participant starts a round. */
export type Start = z.output<typeof startSchema>

const roundSchema = z.strictObject({ schemaVersion: z.literal(1), starts: z.record(z.string(), startSchema) })
/** The starts by participant. Absent participants start with nothing. */
export type Starts = Readonly<Record<string, Start>>

/** Returns the starts of a round's participants. Throws FILES_FAILED if round.json is not valid. */
export async function readStarts(layout: Layout, round: number): Promise<Starts> {
  const file = layout.roundStart(round)
  try {
    return parseStored(file, await readFile(file, 'utf8'), roundSchema).starts
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    if (error instanceof NewerFile) throw error
    throw new PaddockError('FILES_FAILED', `${file} does not describe the start of a round.`, {
      hint: 'Restore it, or start over with --fresh',
      cause: error,
    })
  }
}

export async function writeStarts(layout: Layout, round: number, starts: Starts): Promise<void> {
  await writeJson(layout.roundStart(round), { schemaVersion: 1, starts })
}

/** Returns the start of one participant; null: the participant starts with nothing. Participants may be named `constructor`. */
export function startOf(starts: Starts, name: string): Start | null {
  return Object.hasOwn(starts, name) ? (starts[name] ?? null) : null
}
