import { lstat } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { removeCopy } from '../../copy/all-copies.ts'
import { type ApplyWish, applyCopy, type ChosenChanges, chooseChanges } from '../../copy/apply-copy.ts'
import { type Applied, movedPaths } from '../../copy/applying/apply-changes.ts'
import { commitOnBranch } from '../../copy/applying/branch.ts'
import type { CopyHost } from '../../copy/copy-host.ts'
import { type Copy, lockProject } from '../../copy/hold-copy.ts'
import { openCopy, type RecoveredCopy } from '../../copy/open-copy.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import { patchOf } from '../../copy/reviewing/patch.ts'
import type { Scan } from '../../copy/reviewing/scan.ts'
import { writeAtomic } from '../../files/atomic.ts'
import type { SealRef } from '../seal/read-seal.ts'
import { type AppliedOnce, forgetApplied, readApplied, rememberApplied, writeApplied } from './applied-file.ts'
import { messageFor } from './commit-message.ts'
import { recoverAll } from './recover.ts'
import { selectByGlob } from './select-winner.ts'
import { sidesOf } from './sides.ts'
import { type ProjectWork, projectWork, submissionCopy } from './submission.ts'
import { targetOf } from './target.ts'

/** The work to apply, and the way to apply it. */
export interface SubmissionWish {
  /** The work to apply, as `NAME` or `NAME@ROUND`. */
  readonly participant: string
  /** The work tree to apply to; null: the one that the contest was made from. */
  readonly project: string | null
  /** Paths or globs of the changes in the project; empty: all changes. */
  readonly paths: readonly string[]
  readonly runLater: boolean
  readonly allowSecrets: boolean
  /** `files`: writes to the work tree, optionally with a commit. The others do not change the work tree. `look`: writes nothing. */
  readonly to:
    | { readonly kind: 'files'; readonly commit: ApplyWish['commit'] }
    | { readonly kind: 'branch'; readonly name: string }
    | { readonly kind: 'patch'; readonly file: string }
    | { readonly kind: 'look' }
  readonly describe: ApplyWish['describe']
  /** Called when an interrupted apply has been completed. */
  readonly onRecovered?: (recovered: RecoveredCopy | null) => void
}

/** The result of an apply. */
export interface SubmissionApplied {
  readonly project: string
  readonly work: SealRef
  readonly changes: readonly Change[]
  /** The number of changes that were not chosen. */
  readonly left: number
  readonly scan: Scan
  /** Paths that have changed in the project since the contest was made from it; only for `look`. */
  readonly moved: readonly string[]
  /** The applied changes; null: the work tree was left alone. */
  readonly applied: Applied | null
  /** Whether git committed the changes; null: no commit was requested. */
  readonly committed: boolean | null
  readonly problem: string | null
  /** The commit on the new branch. */
  readonly commit: string | null
  /** The copy that `paddock review` shows; null: the copy was removed. */
  readonly copy: string | null
}

/**
 * `contest apply`: applies the changes of a participant to a project, in its work tree, on a new branch, or as a patch. All changes are
 * applied, or none. A refused apply leaves a copy that `paddock review` shows.
 * @throws PaddockError BUSY, CONFLICT, NOT_ALLOWED, NOT_FOUND, BAD_INPUT; nothing is applied in these cases
 */
export async function applySubmission(directory: string, wish: SubmissionWish, host: CopyHost): Promise<SubmissionApplied> {
  const work = await projectWork(directory, wish.participant)
  const project = await targetOf(work, wish.project, host)
  using _lock = await lockProject(project, host.paths, 'paddock contest apply')
  await recoverAll(project, host, wish.onRecovered)
  const copy = await submissionCopy(work, project, host)
  if (wish.to.kind === 'look') return await look(copy, work, wish, host)
  if (wish.to.kind === 'files') return await toFiles(copy, work, { ...wish, commit: wish.to.commit }, host)
  const chosen = await chooseChanges(copy, { ...wish, nameWith: '--path', select: (changes) => selectByGlob(changes, wish.paths) }, host)
  const start = work.layout.start
  const sides = (change: Change): ReturnType<typeof sidesOf> => sidesOf(change, start, copy.place.tree)
  const commit =
    wish.to.kind === 'branch'
      ? await toBranch(wish.to.name, chosen, work, project, sides, host)
      : await toPatch(wish.to.file, chosen, work, sides)
  await removeCopy(copy.place)
  return { ...outcome(project, work, chosen), commit }
}

async function look(copy: Copy, work: ProjectWork, wish: SubmissionWish, host: CopyHost): Promise<SubmissionApplied> {
  const { scan, base, record } = await openCopy(copy, host)
  const { changes } = selectByGlob(scan.changes, wish.paths)
  const { project } = record
  return { ...outcome(project, work, { changes, scan }), moved: movedPaths(project, changes, base), copy: record.id }
}

async function toFiles(
  copy: Copy,
  work: ProjectWork,
  wish: SubmissionWish & { readonly commit: ApplyWish['commit'] },
  host: CopyHost,
): Promise<SubmissionApplied> {
  const { layout, ref } = work
  const { project, id } = copy.record
  const before = await readApplied(layout)
  // Recorded before anything is written, so that a killed apply can be undone as well.
  let once: AppliedOnce | null = null
  const onChosen = async (changes: readonly Change[]): Promise<void> => {
    if (changes.length === 0) return
    once = { copy: id, project, ...ref, changes: changes.map(({ path: file, base, now }) => ({ path: file, base, now })) }
    await rememberApplied(layout, once, host.paths)
    await writeApplied(layout, [...before, once])
  }
  const select = (changes: readonly Change[]): ReturnType<typeof selectByGlob> => selectByGlob(changes, wish.paths)
  const commit = wish.commit === null ? null : { ...wish.commit, message: messageFor(work, wish.commit.message) }
  try {
    // The seal still has all files, so the copy can be removed afterwards.
    const how = { ...wish, nameWith: '--path', commit, keep: true, select, onChosen } as const
    const { changes, scan, applied, committed, problem } = await applyCopy(copy, how, host)
    await removeCopy(copy.place)
    return { ...outcome(project, work, { changes, scan }), applied, committed, problem }
  } catch (error) {
    if (once !== null) {
      await writeApplied(layout, before)
      await forgetApplied(layout, once, host.paths)
    }
    throw error
  }
}

async function toBranch(
  name: string,
  { changes }: ChosenChanges,
  work: ProjectWork,
  project: string,
  sides: Parameters<typeof commitOnBranch>[2],
  host: CopyHost,
): Promise<string> {
  const { commit } = work.project
  if (commit === undefined || commit === null)
    throw new PaddockError(
      'BAD_INPUT',
      `${project} was not a git repository with a commit when the contest was made, so there can be no branch.`,
      {
        hint: 'Leave --branch out',
      },
    )
  if (changes.length === 0) throw new PaddockError('NOT_FOUND', 'Nothing changed, so there is nothing to commit.')
  return await commitOnBranch({ project, name, commit, message: messageFor(work, undefined), env: host.env }, changes, sides)
}

async function toPatch(
  file: string,
  { changes }: ChosenChanges,
  work: ProjectWork,
  sides: Parameters<typeof commitOnBranch>[2],
): Promise<null> {
  const target = path.resolve(file)
  if ((await lstat(target).catch(() => null)) !== null)
    throw new PaddockError('CONFLICT', `${file} already exists, and was not changed.`, { hint: 'Name another file, or remove it' })
  const parts = [`${messageFor(work, undefined)}\n\n`]
  for (const each of changes) parts.push(patchOf(await sides(each), 'whole'))
  await writeAtomic(target, parts.join(''))
  return null
}

function outcome(project: string, { ref }: ProjectWork, { changes, scan }: Pick<ChosenChanges, 'changes' | 'scan'>): SubmissionApplied {
  const { participant, round, tree } = ref
  return {
    project,
    work: { participant, round, tree },
    changes,
    left: scan.changes.length - changes.length,
    scan,
    moved: [],
    applied: null,
    committed: null,
    problem: null,
    commit: null,
    copy: null,
  }
}
