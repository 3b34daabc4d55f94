import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PaddockError } from '../../base/errors.ts'
import { ownGit } from '../../cell/trees/own-git.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { RepositoryCopy } from './repository-copy.ts'

/**
 * Gives a tree a new repository with the history of a commit, and nothing else. The commit is fetched, because a local clone would take all
 * objects, also those of the fix. Afterwards, each object is checked to be part of that history.
 * @throws PaddockError FILES_FAILED if there is an object too many
 */
export async function writeHistory(
  tree: string,
  commit: string,
  { gitDirectory, searchPath }: Pick<RepositoryCopy, 'gitDirectory' | 'searchPath'>,
  scratch: string,
): Promise<void> {
  const isSha256 = commit.length === 64
  const source = path.join(scratch, 'source.git')
  await removeTree(source)
  await makeRepository(source, true, isSha256)
  // Upload-pack reads only repositories of its own user, and borrows the objects of this one.
  await mkdir(path.join(source, 'objects/info'))
  await writeFile(path.join(source, 'objects/info/alternates'), `${path.join(gitDirectory, 'objects')}\n`)
  await writeFile(path.join(source, 'refs/heads/main'), `${commit}\n`)
  const own = path.join(tree, '.git')
  await makeRepository(own, false, isSha256)
  const places = { gitDirectory: own, workTree: tree, searchPath }
  const refs = ['+refs/heads/main:refs/heads/main']
  const quiet = ['-c', 'core.logAllRefUpdates=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false']
  await ownGit([...quiet, 'fetch', '-q', '--no-tags', '--update-head-ok', pathToFileURL(source).href, ...refs], places)
  await rm(path.join(own, 'FETCH_HEAD'), { force: true })
  const reachable = new Set(namesIn(await ownGit(['rev-list', '--objects', commit], places)))
  const all = namesIn(await ownGit(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], places))
  const foreign = all.filter((each) => !reachable.has(each))
  if (foreign.length > 0 || all.length === 0)
    throw new PaddockError(
      'FILES_FAILED',
      `The history of ${commit} has objects that do not belong to it: ${foreign.length} of ${all.length}.`,
    )
  await ownGit(['read-tree', commit], places)
  await removeTree(source)
}

async function makeRepository(directory: string, isBare: boolean, isSha256: boolean): Promise<void> {
  for (const each of ['objects', 'refs/heads']) await mkdir(path.join(directory, each), { recursive: true })
  await writeFile(path.join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  const format = isSha256 ? '[extensions]\n\tobjectFormat = sha256\n' : ''
  await writeFile(path.join(directory, 'config'), `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = ${isBare}\n${format}`)
}

function namesIn(output: Buffer): string[] {
  return output
    .toString('latin1')
    .split('\n')
    .flatMap((line) => /^[0-9a-f]{40,64}/.exec(line)?.[0] ?? [])
}
