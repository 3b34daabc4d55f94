import path from 'node:path'

const name = 'paddock-new'

/**
 * Returns the directory in which a cell makes the first repository of a project. In the cell it is mounted over `.git`. Git on the host finds
 * nothing in `.git` meanwhile that it could obey.
 */
export function newRepositoryIn(git: string): string {
  return path.join(git, name)
}

/** Returns the `.git` of such a directory, or of a path in it; null for other paths. */
export function gitOfNew(file: string): string | null {
  const at = file.lastIndexOf(`/.git/${name}`)
  const end = at + `/.git/${name}`.length
  return at < 0 || (file.length > end && file[end] !== '/') ? null : file.slice(0, at + '/.git'.length)
}
