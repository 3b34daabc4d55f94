import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { removeCopy } from '../../copy/all-copies.ts'
import { applyCopy, type CopyApplied } from '../../copy/apply-copy.ts'
import { type CopyHost, copiesDirectory } from '../../copy/copy-host.ts'
import { lockProject } from '../../copy/hold.ts'
import { type Entry, isLink } from '../../copy/manifest.ts'
import { layCopy } from '../../copy/taking/lay-copy.ts'
import { PaddockError } from '../../errors.ts'
import { readContest } from '../config/brief.ts'
import type { Layout } from '../state/layout.ts'
import { type AppliedOnce, forgetApplied, isRemembered, readApplied, writeApplied } from './applied-file.ts'
import { readProject } from './project-file.ts'
import { recoverAll } from './recover.ts'
import { sideOf } from './sides.ts'
import { targetOf } from './target.ts'

/** What an undo did. */
export interface Undone extends Pick<CopyApplied, 'applied'> {
  readonly project: string
  readonly participant: string
  readonly round: number
}

/**
 * `contest apply --undo`: puts back what the last apply of this contest changed in the work tree, all or nothing: the same as applying a copy that has the
 * old files to a project that has the new ones. Branches and patches are not undone. Work that was not applied here is put back only with `foreign`, because a contest that was cloned can name any files.
 * @throws PaddockError NOT_FOUND if nothing was applied, NOT_ALLOWED if it was not applied here, CONFLICT if somebody changed it since, FILES_FAILED if start/ no
 * longer has what it was
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
      hint: 'A branch is deleted with git branch -D, a patch taken back with git apply -R',
    })
  if (!foreign && !(await isRemembered(layout, last, host.paths)))
    throw new PaddockError('NOT_ALLOWED', `${layout.applied} says what was applied to ${project}, and that was not done here.`, {
      hint: `Read ${layout.applied}, then have it undone with --run-later`,
    })
  const copy = await layCopy({
    copies: copiesDirectory(host.paths),
    project,
    base: last.changes.flatMap(({ now }) => (now === null ? [] : [now])),
    // What git ignores was there before as well.
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
    // With a journal it holds old versions that could not be put back.
    if (!existsSync(copy.place.journal)) await removeCopy(copy.place)
  }
}

async function layOld({ changes }: AppliedOnce, { start }: Layout, tree: string): Promise<void> {
  mkdirSync(tree, { mode: 0o700 })
  const old = changes.flatMap(({ base }) => (base === null ? [] : [base]))
  // Links come last: no file is ever written through one.
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
