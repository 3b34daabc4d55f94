import { PaddockError } from '../errors.ts'
import { removeCopy } from './all-copies.ts'
import { type Applied, applyChanges, movedPaths } from './applying/apply.ts'
import { refuseOwnPrograms } from './applying/commit.ts'
import { completeApply } from './applying/complete.ts'
import type { After } from './applying/journal.ts'
import { type CopyHost, gitUserOf } from './copy-host.ts'
import { type Copy, refuseWhileRunning } from './hold.ts'
import { credentialsHere } from './in-play.ts'
import type { Manifest } from './manifest.ts'
import { openCopy, type RecoveredCopy } from './open.ts'
import type { CopyRecord } from './record.ts'
import type { Change } from './reviewing/change.ts'
import type { Scan } from './reviewing/scan.ts'
import { type ChangedSecrets, secretsIn } from './reviewing/secrets.ts'

/** How changes of a copy are applied. */
export interface ApplyWish {
  /** Null: nothing is committed. `hooks`: git runs what it would run by its configuration. */
  readonly commit: { readonly message: string | undefined; readonly hooks: boolean } | null
  /** Keeps the copy even if all of it was applied. */
  readonly keep: boolean
  /** Applies what other programs run later, also if it was not named by its path. */
  readonly runLater: boolean
  readonly allowSecrets: boolean
  /** Chooses among the changes; `named`: those that were named by their very path. */
  select(changes: readonly Change[]): { readonly changes: readonly Change[]; readonly named: ReadonlySet<string> }
  /** How a path is named, for hints; absent: as it is. */
  readonly nameWith?: '--path'
  /** Says what was found in one file, for the error that refuses it. */
  describe(path: string, findings: ChangedSecrets['findings'] extends ReadonlyMap<string, infer F> ? F : never): string
  /** Called before anything is applied. */
  onRecovered?(recovered: RecoveredCopy | null): void
}

/** What came of it. */
export interface CopyApplied {
  readonly applied: Applied
  /** Whether git committed it; null: nothing was to be committed. */
  readonly committed: boolean | null
  /** Why it did not; null: git itself said it, or all is well. */
  readonly problem: string | null
  /** Changes that were not chosen. */
  readonly left: number
  readonly scan: Scan
  /** Whether the copy is still there. */
  readonly isKept: boolean
}

/** Of the paths that were applied, in the audit log. */
const pathsNoted = 200

/** The changes of a copy that were chosen, and that may be applied. */
export interface ChosenChanges {
  readonly changes: readonly Change[]
  readonly scan: Scan
  readonly base: Manifest
  /** The record as an interrupted apply may have left it. */
  readonly record: CopyRecord
}

/**
 * Brings an interrupted apply to its end, compares the copy, and chooses among its changes. The copy is held by the caller.
 * @throws PaddockError `NOT_ALLOWED` for what runs later, and for secrets, unless wished; `BAD_INPUT`
 */
export async function chooseChanges(
  copy: Copy,
  wish: Pick<ApplyWish, 'select' | 'describe' | 'runLater' | 'allowSecrets' | 'onRecovered' | 'nameWith'>,
  host: CopyHost,
): Promise<ChosenChanges> {
  const { place, record: before } = copy
  const { scan, base, recovered, record } = await openCopy(copy, host)
  wish.onRecovered?.(recovered)
  const { changes, named } = wish.select(scan.changes)
  if (!wish.runLater) refuseRunsLater(changes, named, before.id, wish.nameWith)
  if (!wish.allowSecrets) {
    const moved = new Set(movedPaths(before.project, changes, base))
    const { findings } = await secretsIn(changes, place, before, credentialsHere(host), moved)
    refuseSecrets(findings, copy, wish)
  }
  return { changes, scan, base, record }
}

/**
 * Applies changes of a copy to its project, all or none. The copy is held by the caller.
 * @throws PaddockError `BUSY`, `CONFLICT`, `NOT_ALLOWED`, `BAD_INPUT`; nothing was applied then
 */
export async function applyCopy(copy: Copy, wish: ApplyWish, host: CopyHost): Promise<CopyApplied> {
  const { record, place } = copy
  await refuseWhileRunning([place.tree, record.project], host.paths)
  if (wish.commit !== null && record.head === undefined)
    throw new PaddockError('BAD_INPUT', `${record.project} is not a git repository, so nothing can be committed.`, {
      hint: 'paddock apply',
    })
  const { changes, scan, base, record: now } = await chooseChanges(copy, wish, host)
  if (wish.commit !== null)
    refuseOwnPrograms(
      record,
      changes.map((each) => each.path),
      { ...wish.commit, user: gitUserOf(host), env: host.env },
    )
  const after = (done: Applied): After => {
    const all = [...done.written, ...done.deleted, ...done.same].sort()
    return {
      event: {
        copy: record.id,
        project: record.project,
        written: done.written.length,
        deleted: done.deleted.length,
        paths: all.slice(0, pathsNoted),
        ...(wish.runLater ? { runLater: true } : {}),
        ...(wish.allowSecrets ? { allowSecrets: true } : {}),
      },
      // With what an earlier apply was to commit and git did not.
      commit:
        wish.commit === null
          ? null
          : { paths: [...new Set([...all, ...(now.uncommitted ?? [])])], message: wish.commit.message ?? null, hooks: wish.commit.hooks },
      committed: null,
    }
  }
  const counted = async (): ReturnType<typeof applyChanges> => {
    using progress = host.progress('applying the changes', 'steps')
    return await applyChanges(place, record.project, changes, base, progress.step, after)
  }
  const { journal, ...applied } = await counted()
  const { committed, problem } = await completeApply(place, now, journal, host, false)
  const left = scan.changes.length - changes.length
  // Files that were left out exist only in the copy.
  const isKept = wish.keep || left > 0 || committed === false || scan.leftOutCount + scan.ignoredCount > 0
  if (!isKept) await removeCopy(place)
  return { applied, committed, problem, left, scan, isKept }
}

/** What runs later is applied by its very path or as a whole, never implicitly. */
function refuseRunsLater(changes: readonly Change[], named: ReadonlySet<string>, id: string, nameWith?: string): void {
  const later = changes.filter((each) => each.runsLater !== null && !named.has(each.path))
  if (later.length === 0) return
  const shown = later.slice(0, 10).map((each) => `${each.path} (${each.runsLater})`)
  if (later.length > 10) shown.push(`${later.length - 10} more`)
  throw new PaddockError(
    'NOT_ALLOWED',
    `Nothing was applied, because these will run or be obeyed on your machine later: ${shown.join(', ')}.`,
    {
      hint: `Look at them with paddock review ${id}, then name each${nameWith === undefined ? '' : ` with ${nameWith}`}, or apply all of them with --run-later`,
    },
  )
}

/** A secret that comes into a project is published with it sooner or later. */
function refuseSecrets(findings: ChangedSecrets['findings'], { place }: Copy, { describe }: Pick<ApplyWish, 'describe'>): void {
  if (findings.size === 0) return
  const shown = [...findings].slice(0, 10).map(([file, all]) => describe(file, all))
  if (findings.size > 10) shown.push(`${findings.size - 10} more`)
  throw new PaddockError('NOT_ALLOWED', `Nothing was applied, because these hold what looks like a secret: ${shown.join(', ')}.`, {
    hint: `Apply the others by name, fix these in ${place.tree}, or apply them as they are with --allow-secrets`,
  })
}
