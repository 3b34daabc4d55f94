import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import { ChangesAt } from '../../copy/reviewing/changes-at.ts'

/**
 * Returns the changes that match globs or paths (relative to the project, `/` between names), or all changes if there are no patterns.
 * `named` has the changes given by their exact path.
 * @throws PaddockError BAD_INPUT for a pattern that matches no change
 */
export function selectByGlob(
  changes: readonly Change[],
  globs: readonly string[],
): { readonly changes: readonly Change[]; readonly named: ReadonlySet<string> } {
  if (globs.length === 0) return { changes, named: new Set() }
  const places = new ChangesAt(changes)
  for (const each of globs) {
    const wanted = each.replace(/^\.\//, '').replace(/\/$/, '')
    // A file name may look like a glob.
    if (places.add(wanted)) continue
    const found = changes.filter((change) => path.posix.matchesGlob(change.path, wanted))
    if (found.length === 0)
      throw new PaddockError('BAD_INPUT', `--path ${each}: nothing changed there.`, {
        hint: 'paddock contest apply --dry-run lists what changed',
      })
    for (const one of found) places.add(one.path)
  }
  return { changes: places.selected(), named: new Set(globs) }
}
