import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { contains } from '../plan/filesystem.ts'
import type { MountWish } from '../plan/spec.ts'
import type { TravellingSpec } from './place-wire.ts'

/** A directory or file of home, and what has its content on this machine. */
export interface MovedTree {
  /** Absolute path at home. */
  readonly root: string
  /** Absolute path here. */
  readonly place: string
}

/** Mounts of these kinds name what the other machine itself has. */
const ofTheOther = ['agent', 'setup', 'toolchain']

/** A directory or file of home that a cell sees. */
export interface Root {
  readonly path: string
  /** True if the cell can write to some part of it. */
  readonly isWritable: boolean
}

/**
 * Returns the directories and files of home that a cell sees, each of which travels as one tree: the project or its copy, mounts, and the private
 * home.
 * @throws PaddockError UNENFORCEABLE for a work tree, which needs its repository
 */
export function rootsOf({ project, projectCopy, taskTree, mounts, home }: TravellingSpec): readonly Root[] {
  if (taskTree === true)
    throw new PaddockError('UNENFORCEABLE', 'A work tree cannot be sent to another machine without its repository.', {
      hint: 'Use --copy',
    })
  const writable = [projectCopy ?? project, ...(home.kind === 'persistent' ? [home.path] : [])].filter((each) => each !== undefined)
  const all: readonly Root[] = [
    ...writable.map((each) => ({ path: each, isWritable: true })),
    ...mounts.filter(isHomes).map(({ source, access }) => ({ path: source, isWritable: access === 'rw' })),
  ]
  const outer = new Set(
    all.map((each) => each.path).filter((each) => !all.some(({ path: other }) => other !== each && contains(other, each))),
  )
  return [...outer].map((root) => ({
    path: root,
    isWritable: all.some((each) => each.isWritable && contains(root, each.path)),
  }))
}

function isHomes({ reason = 'user' }: MountWish): boolean {
  return !ofTheOther.includes(reason)
}

/**
 * Returns a spec for the machine that has these trees. The cell sees everything at the paths that it has at home, whose caller has prepared
 * the private home for the cell's rights.
 */
export function movedSpec(spec: TravellingSpec, trees: readonly MovedTree[]): TravellingSpec {
  if (trees.length === 0) return spec
  const treeOf = (source: string): MovedTree | undefined => trees.find(({ root }) => contains(root, source))
  const moved = (source: string): string => {
    const tree = treeOf(source)
    return tree === undefined ? source : path.join(tree.place, path.relative(tree.root, source))
  }
  const movedMount = (mount: MountWish): MountWish => ({
    ...mount,
    source: moved(mount.source),
    target: mount.target ?? mount.source,
    // Nothing of home is around the tree here, so no link leads out of it.
    ...(mount.within === undefined ? {} : { within: treeOf(mount.source)?.place ?? mount.within }),
  })
  const { project, projectCopy, mounts, masks, home } = spec
  return {
    ...spec,
    ...(project === undefined ? {} : { projectCopy: moved(projectCopy ?? project) }),
    mounts: mounts.map((each) => (isHomes(each) ? movedMount(each) : each)),
    // A mask outside of all trees hides a file of home that this machine does not have.
    ...(masks === undefined
      ? {}
      : { masks: masks.flatMap((each) => (treeOf(each.source) === undefined ? [] : [{ ...each, source: moved(each.source) }])) }),
    home: home.kind === 'persistent' ? { ...home, path: moved(home.path), others: 'own' } : home,
  }
}
