import { readFile } from 'node:fs/promises'
import { storedOrNull } from '../../files/stored-json.ts'
import type { Layout } from '../config/contest-layout.ts'
import { type Seal, sealSchema } from './seal-schema.ts'

/** A reference to a sealed submission, as rounds and consultations record it. */
export interface SealRef {
  readonly participant: string
  readonly round: number
  /** The hash of the submission's files when the reference was made. */
  readonly tree: string
}

/** Returns the seal of a participant in a round; null if there is none or it is not readable. */
export async function readSeal(layout: Layout, round: number, participant: string): Promise<Seal | null> {
  const file = layout.sealed(round, participant).seal
  return storedOrNull(file, await readFile(file, 'utf8').catch(() => null), sealSchema, 2)
}

/** Returns a participant's newest seal with files, searching backwards from a round; null if there is none. */
export async function lastSeal(layout: Layout, from: number, participant: string): Promise<(SealRef & { readonly seal: Seal }) | null> {
  for (let round = from; round >= 1; round -= 1) {
    const seal = await readSeal(layout, round, participant)
    if (seal?.state === 'sealed' && seal.files.length > 0) return { participant, round, tree: seal.tree, seal }
  }
  return null
}
