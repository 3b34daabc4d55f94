import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs'

/** O_PATH (open(2)) on all architectures that Node supports on Linux. It requires no permission on the opened file. */
const oPath = 0x20_0000

/**
 * Gives the owner of a directory, who must be the user of this process, all permissions to read, enter and change it. A link is not
 * followed. An agent may have removed the owner's permissions; this restores them by path. Has no effect outside Linux. Throws the
 * system's error.
 */
export function openToOwner(directory: string | Buffer): void {
  if (process.platform !== 'linux') return
  const descriptor = openSync(directory, oPath | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const { mode, uid } = fstatSync(descriptor)
    if ((mode & 0o700) !== 0o700 && uid === process.getuid?.()) chmodSync(`/proc/self/fd/${descriptor}`, (mode & 0o7777) | 0o700)
  } finally {
    closeSync(descriptor)
  }
}
