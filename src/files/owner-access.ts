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

/**
 * Lets the owner of a file or directory, who must be the user of this process, read it. A link is not followed. Returns the mode before;
 * null if nothing had to be changed. Throws the system's error.
 */
export function letOwnerRead(entry: Buffer): number | null {
  if (process.platform !== 'linux') return null
  const descriptor = openSync(entry, oPath | constants.O_NOFOLLOW)
  try {
    const facts = fstatSync(descriptor)
    const needed = facts.isDirectory() ? 0o500 : facts.isFile() ? 0o400 : 0
    const mode = facts.mode & 0o7777
    if ((mode & needed) === needed || facts.uid !== process.getuid?.()) return null
    chmodSync(`/proc/self/fd/${descriptor}`, mode | needed)
    return mode
  } finally {
    closeSync(descriptor)
  }
}

/** Changes the mode of a file or directory, but only from the mode that `letOwnerRead` gave it. A link is not followed. Linux only. */
export function undoOwnerRead(entry: Buffer, before: number): void {
  const descriptor = openSync(entry, oPath | constants.O_NOFOLLOW)
  try {
    const facts = fstatSync(descriptor)
    const needed = facts.isDirectory() ? 0o500 : facts.isFile() ? 0o400 : 0
    if (needed !== 0 && (facts.mode & 0o7777) === (before | needed)) chmodSync(`/proc/self/fd/${descriptor}`, before)
  } finally {
    closeSync(descriptor)
  }
}
