import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/**
 * Calls `act` with a path to one name in a directory that cannot be redirected in the meantime: the directory is opened, its real path is
 * checked, and the path leads through its descriptor. Outside Linux, `act` gets `file` itself. Throws ELOOP if the directory's path
 * contains a link.
 */
export function inDirectory<T>(file: string, act: (safe: string) => T): T {
  if (process.platform !== 'linux') return act(file)
  const descriptor = openDirectory(path.dirname(file))
  try {
    return act(safely(descriptor, file))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Does the same for several files, one after the other. Consecutive names of one directory share its descriptor. `directory`: its path. An
 * error for one of them, from its directory or from `act`, is thrown unless `failed` returns.
 */
export function inDirectories(
  files: readonly string[],
  act: (safe: string, file: string, directory: string) => void,
  failed: (error: unknown) => void = (error) => {
    throw error
  },
): void {
  let open: { readonly directory: string; readonly descriptor: number } | null = null
  const close = (): void => {
    if (open !== null) closeSync(open.descriptor)
    open = null
  }
  const safePath = (file: string, directory: string): string => {
    if (process.platform !== 'linux') return file
    if (open?.directory !== directory) {
      close()
      open = { directory, descriptor: openDirectory(directory) }
    }
    return safely(open.descriptor, file)
  }
  try {
    for (const each of files) {
      try {
        const directory = path.dirname(each)
        act(safePath(each, directory), each, directory)
      } catch (error) {
        failed(error)
      }
    }
  } finally {
    close()
  }
}

function safely(descriptor: number, file: string): string {
  return `/proc/self/fd/${descriptor}/${path.basename(file)}`
}

function openDirectory(directory: string): number {
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) === directory) return descriptor
    throw Object.assign(new Error(`${directory} is not where it seems to be`), { code: 'ELOOP' })
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}
