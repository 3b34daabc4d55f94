import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { MountWish } from '../../../cell/plan/spec.ts'
import { writeAtomic } from '../../../files/atomic.ts'
import { disarm } from '../../seal/disarm.ts'
import { restoreLinks } from '../../seal/restore-links.ts'
import { unseal } from '../../seal/unseal.ts'
import { labelAt } from '../../state/label.ts'
import { startOf } from '../../state/round-start.ts'
import type { Scene } from '../../state/scene.ts'
import { fromNothing, type StartWords } from '../prompts.ts'
import { setUpTree } from '../set-up-tree.ts'
import { sealOf } from './carry.ts'
import { copyStart } from './copy-start.ts'

/** The files that an attempt starts with, in addition to those that every participant sees. */
export interface LaidStart {
  readonly words: StartWords
  readonly mounts: readonly MountWish[]
}

/**
 * Lays out the files that a participant starts an attempt with: an earlier seal in `out`, feedback, and the work of donors under labels,
 * disarmed as for judges. Everything except `out` is in Paddock's state directory.
 */
export async function layStart(scene: Scene, name: string, out: string): Promise<LaidStart> {
  const { contest, starts, scratch } = scene
  const start = startOf(starts, name)
  const { config, layout } = contest
  if (config.start !== undefined && (start === null || start.from === null)) await copyStart(path.join(layout.root, config.start), out)
  const say = (message: string): void => scene.deps.progress({ type: 'warning', message })
  if (start === null || start.from === null) await setUpTree(scene, out, { isAgents: false, say })
  if (start === null) return { words: fromNothing, mounts: [] }
  const { from, donors, feedback } = start
  const mounts: MountWish[] = []
  if (from !== null) {
    const seal = await sealOf(scene, from)
    await unseal(contest.layout.sealed(from.round, from.participant), seal, out)
    if (config.start !== undefined) await restoreLinks(path.join(layout.root, config.start), seal, out)
    const problem = await setUpTree(scene, out, { isAgents: true, say })
    if (problem !== null) say(`${name}: ${problem}`)
  }
  // The path must not contain a name, because a cell can read the sources of its mounts.
  const place = (): string => path.join(scratch, 'starts', randomBytes(8).toString('hex'))
  if (feedback !== null) {
    const source = place()
    await writeAtomic(source, feedback)
    mounts.push({ source, target: '/contest/FEEDBACK.md', access: 'ro', reason: 'contest' })
  }
  const labels = donors.map((_, index) => labelAt(index))
  for (const [index, donor] of donors.entries()) {
    const source = place()
    const seal = await sealOf(scene, donor)
    const { names } = disarm(seal.files.map((each) => each.path))
    await mkdir(path.dirname(source), { recursive: true, mode: 0o700 })
    await unseal(contest.layout.sealed(donor.round, donor.participant), seal, source, (file) => names.get(file) ?? file)
    mounts.push({ source, target: `/contest/donors/${labels[index]}`, access: 'ro', reason: 'contest' })
  }
  const whose = from === null ? null : from.participant === name ? 'own' : 'base'
  return { words: { out: whose, donors: labels, hasFeedback: feedback !== null }, mounts }
}
