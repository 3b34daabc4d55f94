import path from 'node:path'
import { contains } from '../../cell/plan/filesystem.ts'
import { PaddockError } from '../../errors.ts'
import { isAtOrBelow } from '../names.ts'
import type { Change } from './change.ts'

/**
 * Returns the changes at paths (relative to `cwd`), each a file or a directory. Without paths, returns all changes. `named` has the exact
 * paths.
 * @throws PaddockError `BAD_INPUT` for a path without a change
 */
export function selectChanges(
  changes: readonly Change[],
  words: readonly string[],
  { project, cwd }: { readonly project: string; readonly cwd: string },
): { readonly changes: readonly Change[]; readonly named: ReadonlySet<string> } {
  if (words.length === 0) return { changes, named: new Set() }
  const from = contains(project, cwd) ? cwd : project
  const wanted = new Set<string>()
  for (const each of words) {
    const relative = path.relative(project, path.resolve(from, each))
    if (!changes.some((change) => isAtOrBelow(change.path, new Set([relative]))))
      throw new PaddockError('BAD_INPUT', `${each}: nothing changed there.`, { hint: 'To list what changed, run: paddock review --stat' })
    wanted.add(relative)
  }
  return { changes: changes.filter((each) => isAtOrBelow(each.path, wanted)), named: wanted }
}
