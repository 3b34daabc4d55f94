import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { listed } from '../../base/text.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import { quarantine } from '../seal/quarantined-names.ts'
import type { ParticipantStatus } from '../state/contest-state.ts'
import { type Scene, tell } from '../state/scene.ts'

const mostShown = 3

/** Returns true if the work of a participant's newest attempt must still be sealed. */
export function mustSeal({ state, outcome }: ParticipantStatus, { partial }: Pick<ContestConfig, 'partial'>): boolean {
  return state === 'ended' && (outcome?.kind === 'ran' || (partial === 'judge' && outcome?.kind === 'out-of-time'))
}

/** Quarantines files of an attempt that programs on the host would run or obey, and reports them. */
export async function settle(scene: Scene, round: number, participant: string, attempt: number): Promise<void> {
  const files = scene.contest.layout.attempt(round, participant, attempt)
  const done = await quarantine(files, scene.deps)
  if (done === null) return
  const where = path.relative(scene.contest.layout.root, files.out)
  const { quarantined, removed } = done
  if (removed) {
    const message = `${where} could not be searched completely for files that your tools would run, and was removed`
    await tell(scene, { type: 'warning', message })
  } else if (quarantined.length > 0) {
    const paths = quarantined.map((each) => each.path)
    const message = `${participant} left ${listed(paths, mostShown)}, which tools on your machine would run or obey; quarantined in ${where}`
    await tell(scene, { type: 'warning', message })
  }
}

/**
 * Settles every attempt of every round that was not settled because its Paddock was killed or was an older version. Attempts that must
 * still be sealed are skipped.
 */
export async function settleEarlier(scene: Scene): Promise<void> {
  const { contest, journal } = scene
  for (const round of await numbersIn(contest.layout.rounds))
    for (const name of await namesIn(path.join(contest.layout.rounds, String(round))))
      for (const attempt of await numbersIn(contest.layout.attempts(round, name))) {
        const status = journal.participant(name)
        if (round === journal.status.round && attempt === status.attempt && mustSeal(status, contest.config)) continue
        await settle(scene, round, name, attempt)
      }
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => [])

async function numbersIn(directory: string): Promise<number[]> {
  return (await namesIn(directory))
    .filter((each) => /^[1-9]\d{0,8}$/.test(each))
    .map(Number)
    .toSorted((a, b) => a - b)
}
