import { repositoryOf } from '../../cell/trees/source-repository.ts'
import { syncTree } from '../../files/sync-tree.ts'
import { removeCopy, removeHalfMade } from '../all-copies.ts'
import { type CopyPlace, type CopyRecord, newPlace, ownIdentity, writeManifest, writeRecord } from '../copy-record.ts'
import type { Entry } from '../manifest.ts'
import { FileTaker } from './file-taker.ts'
import { makeRules } from './git-directory.ts'

/** A copy that is not made from the project itself. */
export interface LaidWish {
  /** The directory of all copies. */
  readonly copies: string
  /** The absolute path of the project, without links. */
  readonly project: string
  /** The base that the tree is compared with. */
  readonly base: readonly Entry[]
  /** Further values of the copy's record. */
  readonly about: Pick<CopyRecord, 'options' | 'repositories' | 'notes'> & Partial<Pick<CopyRecord, 'submission'>>
  /** Makes the tree, which does not exist yet. */
  readonly fill: (tree: string) => Promise<void>
  /** The HEAD commit of the project; null: no commit yet. Absent: the project is not a git repository. */
  readonly head?: string | null
}

/**
 * Makes a copy whose tree comes from another source, so that its changes are reviewed and applied like those of any copy. If it fails,
 * nothing is left behind.
 */
export async function layCopy(wish: LaidWish): Promise<{ readonly place: CopyPlace; readonly record: CopyRecord }> {
  const { project, about, head } = wish
  await removeHalfMade(wish.copies)
  const place = newPlace(wish.copies)
  const making: CopyRecord = {
    schemaVersion: 1,
    id: place.id,
    project,
    created: new Date().toISOString(),
    state: 'making',
    maker: await ownIdentity(),
    cells: [],
    skipped: [],
    skippedCount: 0,
    ...about,
  }
  try {
    await writeRecord(place, making)
    await wish.fill(place.tree)
    const root = repositoryOf(project, [])
    if (root !== null) await makeRules(root, place.rules, new FileTaker())
    await writeManifest(place, wish.base)
    await syncTree(place.directory)
    const record: CopyRecord = { ...making, state: 'ready', ...(root === null || head === undefined ? {} : { head }) }
    await writeRecord(place, record)
    return { place, record }
  } catch (error) {
    await removeCopy(place)
    throw error
  }
}
