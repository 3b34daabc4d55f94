import { PaddockError } from '../base/errors.ts'
import { removeCopy } from './all-copies.ts'
import { type Applied, applyChanges, movedPaths } from './applying/apply-changes.ts'
import type { After } from './applying/apply-journal.ts'
import { refuseOwnPrograms } from './applying/commit.ts'
import { completeApply } from './applying/complete.ts'
import { credentialsHere } from './copies-in-play.ts'
import { type CopyHost, gitUserOf } from './copy-host.ts'
import type { CopyRecord } from './copy-record.ts'
import { type Copy, refuseWhileRunning } from './hold-copy.ts'
import { isLink, type Manifest } from './manifest.ts'
import { openCopy, type RecoveredCopy } from './open-copy.ts'
import type { Change } from './reviewing/change.ts'
import type { Scan } from './reviewing/scan.ts'
import { type ChangedSecrets, secretsIn } from './reviewing/secrets.ts'

/** The way to apply changes of a copy. */
export interface ApplyWish {
  /** The commit to make; null: nothing is committed. `hooks`: git runs hooks and programs as it is configured to. */
  readonly commit: { readonly message: string | undefined; readonly hooks: boolean } | null
  /** Keeps the copy even if all of it was applied. */
  readonly keep: boolean
  /** Applies files that other programs run later, even if they were not named by path. */
  readonly runLater: boolean
  readonly allowSecrets: boolean
  /** Chooses among the changes. `named`: the paths that were given exactly. */
  select(changes: readonly Change[]): { readonly changes: readonly Change[]; readonly named: ReadonlySet<string> }
  /** Called with the chosen changes after all checks, before anything is applied. */
  onChosen?(changes: readonly Change[]): Promise<void>
  /** The option that names a path, for hints; absent: paths are arguments. */
  readonly nameWith?: '--path'
  /** Describes the findings in one file, for the error that refuses the file. */
  describe(path: string, findings: ChangedSecrets['findings'] extends ReadonlyMap<string, infer F> ? F : never): string
  /** Called with the result of an interrupted apply, before anything is applied. */
  onRecovered?(recovered: RecoveredCopy | null): void
}

/** The result of an apply. */
export interface CopyApplied {
  readonly changes: readonly Change[]
  readonly applied: Applied
  /** True if git committed the changes; null if no commit was requested. */
  readonly committed: boolean | null
  /** The reason why git did not commit; null if git itself reported it, or if there is no problem. */
  readonly problem: string | null
  /** The number of changes that were not chosen. */
  readonly left: number
  readonly scan: Scan
  /** True if the copy still exists. */
  readonly isKept: boolean
}

/** The maximum number of applied paths in the audit log. */
const pathsNoted = 200

/** The chosen changes of a copy, after all checks. */
export interface ChosenChanges {
  readonly changes: readonly Change[]
  readonly scan: Scan
  readonly base: Manifest
  /** The record, which an interrupted apply may have changed. */
  readonly record: CopyRecord
}

/**
 * Completes or undoes an interrupted apply, compares the copy, and chooses among its changes. The caller must hold the copy.
 * @throws PaddockError `NOT_ALLOWED` for files that run later and for secrets, unless requested; `BAD_INPUT`
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
 * Applies changes of a copy to its project, all or none. The caller must hold the copy.
 * @throws PaddockError `BUSY`, `CONFLICT`, `NOT_ALLOWED`, `BAD_INPUT`; in that case nothing was applied
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
      changes.flatMap((each) => (each.now === null ? [] : [each.path])),
      { ...wish.commit, user: gitUserOf(host), env: host.env },
    )
  await wish.onChosen?.(changes)
  const after = (done: Applied): After => {
    const all = [...done.written, ...done.deleted, ...done.same].sort()
    const hashes = new Map(changes.flatMap(({ path, now }) => (now === null || isLink(now) ? [] : [[path, now.sha256]])))
    const paths = all.slice(0, pathsNoted)
    return {
      event: {
        copy: record.id,
        project: record.project,
        base: record.head ?? null,
        cells: record.cells,
        ...(record.submission === undefined ? {} : { submission: record.submission }),
        hashes: Object.fromEntries(paths.flatMap((each) => (hashes.has(each) ? [[each, hashes.get(each)]] : []))),
        written: done.written.length,
        deleted: done.deleted.length,
        paths,
        ...(wish.runLater ? { runLater: true } : {}),
        ...(wish.allowSecrets ? { allowSecrets: true } : {}),
      },
      // Includes paths that git failed to commit after an earlier apply.
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
  return { changes, applied, committed, problem, left, scan, isKept }
}

/** Throws for files that run later unless they are named by exact path, because they are never applied implicitly. */
function refuseRunsLater(changes: readonly Change[], named: ReadonlySet<string>, id: string, nameWith?: string): void {
  const later = changes.filter((each) => each.runsLater !== null && !named.has(each.path))
  if (later.length === 0) return
  const shown = later.slice(0, 10).map((each) => `${each.path} (${each.runsLater})`)
  if (later.length > 10) shown.push(`${later.length - 10} more`)
  throw new PaddockError(
    'NOT_ALLOWED',
    `Nothing was applied, because these will run or be obeyed on your machine later: ${shown.join(', ')}.`,
    {
      hint: `Look at them with paddock review ${id}, then apply all changes with --run-later, or only those that you name${nameWith === undefined ? '' : ` with ${nameWith}`}`,
    },
  )
}

/** Throws if changes contain secrets, which would sooner or later be published with the project. */
function refuseSecrets(findings: ChangedSecrets['findings'], { place }: Copy, { describe }: Pick<ApplyWish, 'describe'>): void {
  if (findings.size === 0) return
  const shown = [...findings].slice(0, 10).map(([file, all]) => describe(file, all))
  if (findings.size > 10) shown.push(`${findings.size - 10} more`)
  throw new PaddockError('NOT_ALLOWED', `Nothing was applied, because these contain what looks like a secret: ${shown.join(', ')}.`, {
    hint: `Apply the others by name, fix these in ${place.tree}, or apply them as they are with --allow-secrets`,
  })
}
