import { contains } from '../../cell/plan/filesystem.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import type { Contest } from '../config/brief.ts'

/**
 * Returns the mounts of a contest's cell so that none from the contest's directory can lead out of it: another cell may be able to write
 * there, and replace a directory by a link after the contest was read.
 */
export function mountsWithin({ layout, root }: Pick<Contest, 'layout' | 'root'>, mounts: readonly MountWish[]): readonly MountWish[] {
  return mounts.map((each) => (contains(layout.root, each.source) ? { ...each, within: root } : each))
}
