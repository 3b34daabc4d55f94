import { readFile, realpath, stat } from 'node:fs/promises'
import { writeAtomic, writeJson } from '../../files/atomic.ts'
import { takeLock } from '../../files/lock.ts'
import { type RoleGroup, withRole } from '../config/add-role.ts'
import { type Contest, readContest } from '../config/brief.ts'
import type { RoleConfig } from '../config/contest-schema.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock } from '../state/contest-lock.ts'
import { type ContestStatus, readStatus } from '../state/contest-state.ts'
import { fingerprintOf } from '../state/fingerprint.ts'

/** A role to add, with a step that runs before the role is written to contest.yaml. */
export interface Addition {
  readonly group: RoleGroup
  readonly role: RoleConfig
  /** Throws if the role cannot be added. `changed`: the contest with the role. */
  readonly before?: (changed: Contest) => Promise<void>
}

/**
 * `contest add`: adds a participant or judge to contest.yaml, the only list of roles, which families, trust and readers depend on.
 * Returns the contest with the role.
 */
export async function addToContest(
  directory: string,
  { paths }: Pick<ContestDeps, 'paths'>,
  command: string,
  decide: (contest: Contest, status: ContestStatus | null) => Promise<Addition>,
): Promise<Contest> {
  const { layout } = await readContest(directory)
  await refuseLinkedRecords(layout)
  using _lock = await takeLock({ file: await contestLock(layout, paths), what: `The contest in ${layout.root}`, command })
  const contest = await readContest(directory)
  const status = await readStatus(layout)
  const { group, role, before } = await decide(contest, status)
  // A link inside the contest stays a link.
  const file = await realpath(layout.config)
  const text = withRole(await readFile(file, 'utf8'), group, role)
  const changed: Contest = { ...contest, config: { ...contest.config, [group]: [...contest.config[group], role] } }
  await before?.(changed)
  const { mode, uid, gid } = await stat(file)
  await writeAtomic(file, text, { mode: mode & 0o777, owner: { uid, gid } })
  // A new participant or judge does not affect earlier work.
  if (status !== null && status.fingerprint === fingerprintOf(contest))
    await writeJson(layout.status, { ...status, fingerprint: fingerprintOf(await readContest(directory)) })
  return changed
}
