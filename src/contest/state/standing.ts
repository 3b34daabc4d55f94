import { isHeld } from '../../files/lock.ts'
import type { Paths } from '../../paths.ts'
import { type Contest, readContest } from '../config/brief.ts'
import { refuseLinkedRecords } from '../config/links.ts'
import { contestLock } from './contest-lock.ts'
import { type ContestStatus, readStatus } from './status.ts'

/** A contest as `contest status` shows it. */
export interface ContestStanding {
  readonly contest: Contest
  /** What status.json says; null: it was never run. */
  readonly status: ContestStatus | null
  /** False: no process works on it, so what is `running` in the status was interrupted. */
  readonly atWork: boolean
}

/** `contest status`: how each is doing. Takes no lock and writes nothing. */
export async function contestStatus(directory: string, paths: Pick<Paths, 'state'>): Promise<ContestStanding> {
  const contest = await readContest(directory)
  await refuseLinkedRecords(contest.layout)
  const lock = await contestLock(contest.layout, paths)
  // Two looks: a contest that begins or ends meanwhile must not be taken for an interrupted one.
  const before = await isHeld(lock)
  const status = await readStatus(contest.layout)
  return { contest, status, atWork: before || (await isHeld(lock)) }
}
