import { directoryOf, parentsOf } from '../copy-names.ts'
import { isLink, type Manifest } from '../manifest.ts'
import type { Listed } from '../stamp.ts'
import { isIgnoreFile } from '../taking/ignore-files.ts'

/** What need not be looked at, by path in the copy. */
export interface AsCopied {
  /** Files that are as they were hashed. */
  readonly files: ReadonlySet<string>
  /** Directories in which, at any depth, each entry is such a file, and none is missing. Those with links or ignore files are left out. */
  readonly directories: ReadonlySet<string>
}

export function asCopied(listed: Listed | null, { entries }: Manifest): AsCopied {
  const [files, directories] = [new Set<string>(), new Set<string>()]
  if (listed === null) return { files, directories }
  const changed = new Set<string>()
  /** The number of entries of the base that were not yet found. */
  const missing = new Map<string, number>()
  for (const each of entries) {
    const directory = directoryOf(each.path)
    missing.set(directory, (missing.get(directory) ?? 0) + 1)
    if (isLink(each) || isIgnoreFile(each.path)) changed.add(directory)
  }
  for (const [stamp, bytes] of listed.entries) {
    const name = textOfBytes(bytes)
    const directory = directoryOf(name)
    if (listed.stamps.has(stamp)) {
      files.add(name)
      missing.set(directory, (missing.get(directory) ?? 0) - 1)
    } else changed.add(directory)
  }
  for (const each of listed.directories) directories.add(textOfBytes(each))
  for (const [directory, count] of missing) if (count !== 0) changed.add(directory)
  for (const each of changed) for (const directory of [each, ...parentsOf(each)]) directories.delete(directory)
  return { files, directories }
}

function textOfBytes(bytes: string): string {
  return /^[ -~]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString()
}
