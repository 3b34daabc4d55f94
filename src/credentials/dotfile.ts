import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'

/**
 * Returns the file behind a name in the user's home, with links resolved, because users may link to settings elsewhere. Null if it does not
 * exist. Throws BAD_INPUT if a link leads through a directory in which others could replace it (sshd_config(5), StrictModes).
 */
export async function resolveDotfile(file: string): Promise<string | null> {
  const real = await realpath(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw new PaddockError('BAD_INPUT', `${file} cannot be read (${error.code ?? 'unknown error'}).`, { hint: `Run: ls -la ${file}` })
  })
  if (real === null || real === path.normalize(file)) return real
  for (let child = real; path.dirname(child) !== child; child = path.dirname(child)) {
    const directory = path.dirname(child)
    if (await safeFrom(directory, child)) continue
    throw new PaddockError('BAD_INPUT', `${file} is a link through ${directory}, where others can put another file in its place.`, {
      hint: `Run: chmod go-w ${directory}, or replace the link by the file itself`,
    })
  }
  return real
}

/** Returns true if only root and this user can replace `child`. In a sticky directory they must own it, too (inode(7), S_ISVTX). */
async function safeFrom(directory: string, child: string): Promise<boolean> {
  const own = (uid: number): boolean => uid === 0 || uid === process.geteuid?.()
  const { mode, uid } = await lstat(directory)
  if (!own(uid)) return false
  return (mode & 0o022) === 0 || ((mode & 0o1000) !== 0 && own((await lstat(child)).uid))
}
