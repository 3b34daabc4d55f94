import { closeSync, constants, openSync, readlinkSync, rmSync } from 'node:fs'
import path from 'node:path'
import { privateDirectory } from '../credentials/vault/private-place.ts'

/**
 * A directory (0700) with a listening socket. The directory stays open as long as the socket: libuv removes a socket by the path that it
 * was bound to. That path goes through the directory's descriptor, so that the real path may be longer than a socket address's 107 bytes.
 */
export interface SocketDirectory extends Disposable {
  /** The path to bind. */
  readonly address: string
}

/** Opens the directory of a socket, creates it if necessary, and removes a socket that an earlier owner left. */
export async function openSocketDirectory(socket: string): Promise<SocketDirectory> {
  const directory = path.dirname(socket)
  await privateDirectory(directory)
  if (process.platform !== 'linux') {
    rmSync(socket, { force: true })
    return { address: socket, [Symbol.dispose]: () => rmSync(socket, { force: true }) }
  }
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const address = `/proc/self/fd/${descriptor}/${path.basename(socket)}`
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== directory)
      throw Object.assign(new Error(`${directory} is not where it seems to be`), { code: 'ELOOP' })
    rmSync(address, { force: true })
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return {
    address,
    [Symbol.dispose]: () => {
      rmSync(address, { force: true })
      closeSync(descriptor)
    },
  }
}
