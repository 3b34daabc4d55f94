import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { removeTree } from '../../files/remove-tree.ts'
import { type SetupScene, setUpTree } from '../run/set-up-tree.ts'
import { copyStart } from '../run/start/copy-start.ts'
import { sealSubmission } from '../seal/seal.ts'
import { boundsOf, missingOutputs } from '../seal/seal-bounds.ts'
import type { Seal } from '../seal/seal-schema.ts'
import { unseal } from '../seal/unseal.ts'
import type { Subject } from './check.ts'

export interface ReferenceScene extends SetupScene {
  /** A host directory for temporary files. */
  readonly scratch: string
}

/** Returns the submission of a participant that does nothing. */
export function emptySubmission(scene: SetupScene): Subject {
  const { config, layout } = scene.contest
  return {
    name: 'an empty submission',
    layDown: async (directory) => {
      await mkdir(directory)
      if (config.start !== undefined) await copyStart(path.join(layout.root, config.start), directory)
      await setUpTree(scene, directory, { isAgents: false, say: () => undefined })
    },
  }
}

/** Returns the submission of a participant that hands in the oracle. */
export function oracleSubmission(scene: SetupScene, { layDown }: Pick<Oracle, 'layDown'>): Subject {
  return {
    name: 'the oracle',
    layDown: async (directory) => {
      await layDown(directory)
      await setUpTree(scene, directory, { isAgents: false, say: () => undefined })
    },
  }
}

export interface Oracle {
  readonly seal: Seal
  readonly layDown: (directory: string) => Promise<void>
  /** The reason why the oracle would not be accepted from a participant; null: it would be accepted. */
  readonly problem: string | null
}

/** Returns the oracle, sealed like a submission; null without an oracle. `scratch`: a host directory for temporary files. */
export async function sealedOracle({ contest, deps, scratch }: ReferenceScene): Promise<Oracle | null> {
  const { oracle, outputs } = contest.config
  if (oracle === undefined) return null
  const directory = path.join(scratch, 'oracle')
  const target = {
    directory,
    archive: path.join(directory, 'out.tar'),
    out: path.join(directory, 'out'),
    seal: path.join(directory, 'seal.json'),
  }
  const about = { attempt: 1, now: deps.now(), scratch: path.join(scratch, 'sealing') }
  const seal = await sealSubmission(path.join(contest.layout.root, oracle), target, boundsOf(outputs), about)
  const missing = missingOutputs(seal, outputs.required)
  const problem =
    seal.state === 'sealed'
      ? missing.length > 0
        ? `lacks what outputs.required names: ${missing.join(', ')}`
        : null
      : `would not be accepted from a participant: ${seal.message}`
  return {
    seal,
    problem,
    layDown: async (to) => {
      await removeTree(to)
      if (seal.state === 'sealed') await unseal(target, seal, to)
      else await mkdir(to)
    },
  }
}
