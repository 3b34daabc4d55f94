import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { contains } from '../../cell/plan/filesystem.ts'
import type { Change } from './change.ts'
import { ChangesAt } from './changes-at.ts'

/** The places to select changes at, each a file or a directory. */
interface Places {
  readonly project: string
  readonly cwd: string
  /** Paths relative to `cwd`, or to the project if `cwd` is elsewhere. */
  readonly words: readonly string[]
  /** The values of `--path`, relative to the project. */
  readonly paths: readonly string[]
}

/**
 * Returns the changes at these places, or all changes if there are none. `named` has the exact paths.
 * @throws PaddockError `BAD_INPUT` for a place without a change
 */
export function selectChanges(
  changes: readonly Change[],
  { project, cwd, words, paths }: Places,
): { readonly changes: readonly Change[]; readonly named: ReadonlySet<string> } {
  if (words.length + paths.length === 0) return { changes, named: new Set() }
  const from = contains(project, cwd) ? cwd : project
  const wanted = new Set<string>()
  const places = new ChangesAt(changes)
  const want = (given: string, at: string, shown = given): void => {
    const relative = path.relative(project, path.resolve(at, given))
    if (!places.add(relative))
      throw new PaddockError('BAD_INPUT', `${shown}: nothing changed there.`, { hint: 'To list what changed, run: paddock review --stat' })
    wanted.add(relative)
  }
  for (const each of words) want(each, from)
  for (const each of paths) want(each, project, `--path ${each}`)
  return { changes: places.selected(), named: wanted }
}
