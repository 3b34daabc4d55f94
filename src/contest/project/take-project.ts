import { constants } from 'node:fs'
import { cp, lstat, rename } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { trust, trustStore } from '../../config/trusted-projects.ts'
import { removeCopy } from '../../copy/all-copies.ts'
import { type CopyHost, copiesDirectory, gitUserOf } from '../../copy/copy-host.ts'
import { readManifest } from '../../copy/copy-record.ts'
import { directoryId, refuseLinkedProject } from '../../copy/project-directory.ts'
import { createCopy } from '../../copy/taking/create.ts'
import { filesOfCommit } from '../../copy/taking/from-ref.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { userExcludes } from '../../git/user-excludes.ts'
import type { Layout } from '../config/contest-layout.ts'
import { agreementOf, type ContestProject, writeProject } from '../state/project-file.ts'

/** The project, and the state of its files, that a contest starts with. */
export interface ProjectWish {
  /** The absolute path of the project, without links. */
  readonly project: string
  /** A commit of the project; null: the current work tree, without the files that git ignores. */
  readonly ref: string | null
  /** Directories that the project must not be or contain. */
  readonly refused: readonly string[]
}

/** The result of copying a project. */
export interface TakenProject {
  readonly files: number
  /** Notes for the user about files that were not copied, with the reasons. */
  readonly notes: readonly string[]
}

/**
 * Copies a project into start/ of a contest, and writes project.json, which describes the copy. Records the user's consent to have work
 * of this contest applied to that project. The project is only read, by the same code as for `run --copy`. Can be repeated after a kill.
 * @throws PaddockError BAD_INPUT, NOT_ALLOWED, FILES_FAILED
 */
export async function takeProject(layout: Layout, { project, ref, refused }: ProjectWish, host: CopyHost): Promise<TakenProject> {
  if ((await lstat(layout.start).catch(() => null)) !== null && (await lstat(layout.project).catch(() => null)) === null)
    throw new PaddockError('BAD_INPUT', `${layout.start} exists already, so the project cannot be copied there.`, {
      hint: 'Choose another directory, or remove it',
    })
  refuseLinkedProject(project)
  const directory = directoryId(project)
  const searchPath = host.env['PATH'] ?? ''
  using progress = host.progress('copying the project', 'files')
  const { place, record } = await createCopy({
    project,
    ignored: false,
    copies: copiesDirectory(host.paths),
    searchPath,
    excludes: userExcludes(gitUserOf(host)),
    refused,
    onFile: progress.step,
  })
  try {
    const atRef = ref === null ? null : await ofCommit(ref, record.head, { project, tree: place.tree, searchPath })
    const { entries } = atRef ?? (await readManifest(place))
    const making = `${layout.start}.making`
    await removeTree(making)
    await removeTree(layout.start)
    await copyWithoutGit(atRef?.directory ?? place.tree, making)
    await rename(making, layout.start)
    const commit = atRef === null ? record.head : atRef.commit
    const written: ContestProject = {
      schemaVersion: 1,
      project,
      directory,
      ref,
      ...(commit === undefined ? {} : { commit }),
      repositories: atRef === null ? record.repositories : [''],
      entries: [...entries],
    }
    await writeProject(layout.project, written)
    await trust(trustStore(host.paths), layout.project, agreementOf(written))
    const skipped = record.skipped.slice(0, 3).map((each) => `${each.path} was not copied: ${each.why}`)
    if (record.skippedCount > skipped.length) skipped.push(`${record.skippedCount - skipped.length} more were not copied`)
    return { files: entries.length, notes: atRef === null ? [...record.notes, ...skipped] : atRef.notes }
  } finally {
    await removeCopy(place)
  }
}

async function ofCommit(ref: string, head: string | null | undefined, places: Parameters<typeof filesOfCommit>[2]) {
  if (head === undefined)
    throw new PaddockError('BAD_INPUT', '--ref needs a git repository, and this project is not one.', { hint: 'Leave --ref out' })
  const directory = `${places.tree}.ref`
  return { directory, ...(await filesOfCommit(ref, directory, places)) }
}

/** Copies a directory without git directories, because an agent's `git init` is the agent's own. Links keep their targets. */
async function copyWithoutGit(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (file) => path.basename(file).toLowerCase() !== '.git',
  })
}
