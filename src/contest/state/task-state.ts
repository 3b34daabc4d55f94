import type { Paths } from '../../base/paths.ts'
import { isHeld } from '../../files/lock.ts'
import { type Contest, readContest } from '../config/brief.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import { contestLock } from './contest-lock.ts'
import { type ContestStatus, readStatus } from './contest-state.ts'

/** The state of a contest as `contest status` shows it. */
export interface ContestStanding {
  readonly contest: Contest
  /** The contents of status.json; null: the contest was never run. */
  readonly status: ContestStatus | null
  /** True: a process works on the contest. If false, anything `running` in the status was interrupted. */
  readonly atWork: boolean
}

/** `contest status`: returns the state of each participant and judge. Takes no lock and writes nothing. */
export async function contestStatus(directory: string, paths: Pick<Paths, 'state'>): Promise<ContestStanding> {
  const contest = await readContest(directory)
  await refuseLinkedRecords(contest.layout)
  const lock = await contestLock(contest.layout, paths)
  // Checked twice, so that a contest that starts or ends in the meantime is not reported as interrupted.
  const before = await isHeld(lock)
  const status = await readStatus(contest.layout)
  return { contest, status, atWork: before || (await isHeld(lock)) }
}
