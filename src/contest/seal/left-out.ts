import { parentsOf } from '../../copy/names.ts'
import { redact } from '../../errors.ts'
import { printableName } from '../../text.ts'
import type { Seal } from './seal-schema.ts'

/**
 * Returns true for what was at a path and was not sealed although a participant left it: links, what could not be read, and everything else that
 * seals leave out. It is not deleted. Where more was left out than a seal lists, any path may be such a one.
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
