import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { contains } from '../cell/plan/filesystem.ts'
import { maskAt } from '../cell/plan/masks.ts'
import type { MaskWish } from '../cell/plan/spec.ts'
import type { Sourced } from '../config/request/request.ts'

/**
 * Returns the masks: the caller's paths, relative to the working directory, which must exist, and paths from a configuration,
 * relative to the project, if they exist. `shown`: paths of the host that the cell sees besides the project.
 * @throws PaddockError `BAD_INPUT`
 */
export function masksOf(
  wished: readonly Sourced<string>[],
  where: { readonly cwd: string; readonly project: string; readonly userHome: string; readonly shown: readonly string[] },
): { readonly masks: readonly MaskWish[]; readonly notes: readonly string[] } {
  const masks = new Map<string, MaskWish>()
  const notes: string[] = []
  const add = (file: string, place: string): boolean => {
    const found = maskAt(file, place)
    if (found === null) return false
    const { names, ...wish } = found
    if (wish.source === where.project || contains(wish.source, where.project))
      throw new PaddockError('BAD_INPUT', `${place}: ${file} is or contains the project itself.`, {
        hint: 'Mask files or directories in it',
      })
    if (![where.project, ...where.shown].some((each) => contains(each, wish.source))) return false
    masks.set(wish.source, wish)
    if (names > 1)
      notes.push(
        `${file} has ${names - 1} other name${names === 2 ? '' : 's'} (hard links), which the mask does not cover; look with: find . -samefile ${file}`,
      )
    return true
  }
  for (const { value, origin } of wished) {
    if (origin.from !== 'caller') add(path.resolve(where.project, value.replace(/^~(?=\/)/, where.userHome)), origin.place)
    else if (!add(path.resolve(where.cwd, value), origin.place))
      throw new PaddockError('BAD_INPUT', `${origin.place} ${value}: the cell would see nothing at that path.`, {
        hint: 'Give a file or directory in the project, or in what --ro and --rw show',
      })
  }
  return { masks: [...masks.values()], notes }
}
