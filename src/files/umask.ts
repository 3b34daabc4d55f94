import { readFileSync } from 'node:fs'

/** Returns the umask of this process: the permission bits that new files do not get (umask(2)). */
export function ownUmask(): number {
  // Linux shows the umask (proc_pid_status(5)). process.umask() can only read it by setting it to 0 for a moment, also for other threads.
  const found = process.platform === 'linux' ? /^Umask:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] : undefined
  return found === undefined ? process.umask() : Number.parseInt(found, 8)
}
