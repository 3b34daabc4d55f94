import { redact } from '../../base/errors.ts'
import { printableName } from '../../base/text.ts'
import { parentsOf } from '../../copy/copy-names.ts'
import type { Seal } from './seal-schema.ts'

/**
 * Returns a test for paths that a participant left but that were not sealed: links, unreadable files, and everything else that
 * seals leave out. Such a path does not count as deleted. If a seal's list of omissions is incomplete, any path may be one of them.
 */
export function leftOutOf({ files, dropped, droppedCount }: Pick<Seal, 'files' | 'dropped' | 'droppedCount'>): (path: string) => boolean {
  const sealed = new Set(files.map((each) => each.path))
  const directories = new Set(files.flatMap((each) => parentsOf(each.path)))
  const listed = new Set(dropped.map((each) => each.path))
  const shown = (path: string): string => redact(printableName(Buffer.from(path)))
  return (path) => {
    if (sealed.has(path) || directories.has(path) || parentsOf(path).some((each) => sealed.has(each))) return false
    return droppedCount > dropped.length || [path, ...parentsOf(path)].some((each) => listed.has(shown(each)))
  }
}
