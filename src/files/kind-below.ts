import { lstatSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the kind of a path below a root. It is `link` if any part of the path below the root is a symbolic link. Null: the path does not
 * exist.
 */
export function kindBelow(root: string, file: string): 'file' | 'directory' | 'link' | null {
  let at = root
  let kind: 'file' | 'directory' = 'directory'
  const below = file.startsWith(`${root}/`) ? file.slice(root.length + 1).split('/') : null
  const isPlain = below?.every((each) => each !== '' && each !== '.' && each !== '..') === true
  for (const name of isPlain ? below : path.relative(root, file).split('/').filter(Boolean)) {
    if (kind === 'file') return null
    at = at === '/' ? `/${name}` : `${at}/${name}`
    const stat = lstatSync(at, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (stat.isSymbolicLink()) return 'link'
    kind = stat.isDirectory() ? 'directory' : 'file'
  }
  return kind
}
