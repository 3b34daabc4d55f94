import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/**
 * Does something to one name in a directory that nobody can lead elsewhere meanwhile: the directory is opened, the
 * kernel is asked what was opened, and `act` gets a path through that descriptor. Linux; elsewhere the path itself.
 * Throws ELOOP where a link stands in the directory's path.
 */
export function inDirectory<T>(file: string, act: (safe: string) => T): T {
  if (process.platform !== 'linux') return act(file)
  const directory = path.dirname(file)
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== directory)
      throw Object.assign(new Error(`${directory} is not where it seems to be`), { code: 'ELOOP' })
    return act(`/proc/self/fd/${descriptor}/${path.basename(file)}`)
  } finally {
    closeSync(descriptor)
  }
}
