import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { removeCopy } from '../../copy/all-copies.ts'
import { applyCopy, type CopyApplied } from '../../copy/apply-copy.ts'
import { type CopyHost, copiesDirectory } from '../../copy/copy-host.ts'
import { lockProject } from '../../copy/hold-copy.ts'
import { type Entry, isLink } from '../../copy/manifest.ts'
import { layCopy } from '../../copy/taking/lay-copy.ts'
import { readContest } from '../config/brief.ts'
import type { Layout } from '../config/contest-layout.ts'
import { readProject } from '../state/project-file.ts'
import { type AppliedOnce, forgetApplied, isRemembered, readApplied, writeApplied } from './applied-file.ts'
import { recoverAll } from './recover.ts'
import { sideOf } from './sides.ts'
import { targetOf } from './target.ts'

/** The result of an undo. */
export interface Undone extends Pick<CopyApplied, 'applied'> {
  readonly project: string
  readonly participant: string
  readonly round: number
}

/**
 * `contest apply --undo`: reverts the changes that the last apply of this contest made in the work tree, either all or none of them. This
 * works like applying a copy with the old files to a project with the new ones. Branches and patches are not undone. An apply that was not
 * made on this machine is reverted only with `foreign`, because a cloned contest can name any files.
 * @throws PaddockError NOT_FOUND if nothing was applied, NOT_ALLOWED if the apply was not made on this machine, CONFLICT if the files have
 * changed since, FILES_FAILED if start/ has changed
 */
export async function undoApply(directory: string, named: string | null, host: CopyHost, { foreign = false } = {}): Promise<Undone> {
  const { layout } = await readContest(directory)
  const contest = await readProject(layout)
  const project = await targetOf({ layout, project: contest }, named, host)
  using _lock = await lockProject(project, host.paths, 'paddock contest apply --undo')
  await recoverAll(project, host)
  const all = await readApplied(layout)
  const last = all.findLast((each) => each.project === project)
  if (last === undefined)
    throw new PaddockError('NOT_FOUND', `Nothing of ${layout.root} was applied to ${project}.`, {
      hint: 'Delete a branch with git branch -D; revert a patch with git apply -R',
    })
  if (!foreign && !(await isRemembered(layout, last, host.paths)))
    throw new PaddockError('NOT_ALLOWED', `${layout.applied} says what was applied to ${project}, and that was not done on this machine.`, {
      hint: `Read ${layout.applied}, then undo it with --run-later`,
    })
  const copy = await layCopy({
    copies: copiesDirectory(host.paths),
    project,
    base: last.changes.flatMap(({ now }) => (now === null ? [] : [now])),
    // Files that git ignores existed before the apply as well, so they are restored.
    about: { options: { ignored: true }, repositories: [], notes: ['undoes an apply'] },
    fill: (tree) => layOld(last, layout, tree),
  })
  const wish = { keep: true, runLater: true, allowSecrets: true, commit: null, describe: () => '' }
  try {
    const { applied } = await applyCopy(copy, { ...wish, select: (changes) => ({ changes, named: new Set() }) }, host)
    await writeApplied(
      layout,
      all.filter((each) => each !== last),
    )
    await forgetApplied(layout, last, host.paths)
    return { applied, project, participant: last.participant, round: last.round }
  } finally {
    // If there is a journal, the copy contains old versions that could not be restored.
    if (!existsSync(copy.place.journal)) await removeCopy(copy.place)
  }
}

async function layOld({ changes }: AppliedOnce, { start }: Layout, tree: string): Promise<void> {
  mkdirSync(tree, { mode: 0o700 })
  const old = changes.flatMap(({ base }) => (base === null ? [] : [base]))
  // Links are written last, so that no file is written through one.
  for (const each of old.toSorted((a, b) => Number(isLink(a)) - Number(isLink(b)))) await put(each, start, tree)
}

async function put(entry: Entry, start: string, tree: string): Promise<void> {
  const file = path.join(tree, entry.path)
  mkdirSync(path.dirname(file), { recursive: true })
  if (isLink(entry)) return symlinkSync(entry.target, file)
  const side = await sideOf(entry, start)
  if (side === null) return
  writeFileSync(file, side.bytes, { flag: 'wx', mode: 0o600 })
  chmodSync(file, entry.mode)
}
