import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Returns false if this descriptor was not inherited. Then it is closed, or one of Node's own, which are not files (epoll, eventfd) or
 * have both ends in this process (pipes). Returns true if proc(5) is not available.
 */
export function isInherited(descriptor: number): boolean {
  if (!existsSync('/proc/self/fd')) return true
  const to = linkOf(descriptor)
  if (to === null || to.startsWith('anon_inode:')) return false
  if (!to.startsWith('pipe:')) return true
  const ends = readdirSync('/proc/self/fd')
    .map(Number)
    .filter((each) => linkOf(each) === to)
  return new Set(ends.map(accessOf)).size < 2
}

function linkOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return null
  }
}

/** Returns the access mode of a descriptor (open(2)): reading, writing, both. */
function accessOf(descriptor: number): number {
  const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? '0'
  return Number.parseInt(flags, 8) & 3
}
