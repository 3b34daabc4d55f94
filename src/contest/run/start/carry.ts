import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { writeJson } from '../../../files/atomic.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { readSeal, type SealRef } from '../../seal/read-seal.ts'
import type { Seal } from '../../seal/seal-schema.ts'
import { unseal } from '../../seal/unseal.ts'
import { writeArchive } from '../../seal/write-archive.ts'
import { startOf } from '../../state/round-start.ts'
import { type Scene, tell } from '../../state/scene.ts'

/**
 * Copies the seals of participants that are not run in this round into it. The new seal has the same files, names the round that they are
 * from, and has no attempt, so that it is never mistaken for the seal of a later attempt.
 */
export async function carrySeals(scene: Scene): Promise<void> {
  const { contest, journal, starts } = scene
  const { round } = journal.status
  for (const { name } of contest.config.participants) {
    const start = startOf(starts, name)
    if (start === null || start.carried === null || journal.participant(name).state !== 'pending') continue
    const { carried, from } = start
    if (from === null) {
      await journal.setParticipant(name, { state: 'ended', outcome: carried.outcome })
      continue
    }
    const seal = await sealOf(scene, from)
    const target = contest.layout.sealed(round, name)
    const copy = path.join(scene.scratch, 'carrying')
    await removeTree(target.directory)
    await removeTree(copy)
    try {
      await mkdir(target.directory, { recursive: true })
      await unseal(contest.layout.sealed(from.round, from.participant), seal, copy)
      await writeArchive(copy, seal.files, target.archive)
    } finally {
      await removeTree(copy)
    }
    const carriedFrom = seal.carriedFrom ?? from.round
    await writeJson(target.seal, { ...seal, schemaVersion: 2, attempt: 0, carriedFrom })
    await journal.setParticipant(name, { state: 'sealed', outcome: carried.outcome, ...(carried.given ? { given: carried.given } : {}) })
    await tell(scene, { type: 'carried', name, round: carriedFrom })
  }
}

/** Returns a seal that a round refers to. Throws FILES_FAILED if the seal is gone, or now contains other work. */
export async function sealOf({ contest }: Pick<Scene, 'contest'>, { participant, round, tree }: SealRef): Promise<Seal> {
  const seal = await readSeal(contest.layout, round, participant)
  if (seal?.state === 'sealed' && seal.tree === tree) return seal
  throw new PaddockError(
    'FILES_FAILED',
    `${contest.layout.sealed(round, participant).directory} does not contain the start of this round.`,
    {
      hint: 'Restore it, or start over with --fresh',
    },
  )
}
