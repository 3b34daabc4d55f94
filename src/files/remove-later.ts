import { hostProgram, systemPath } from '../system/host-program.ts'
import { spawn } from '../system/start-program.ts'

/**
 * Deletes a tree in a separate process (rm(1)), which continues after this one has exited. Entries that it cannot delete, for example
 * directories without the owner's permissions, are left to `removeTree`. Returns false if rm is not installed.
 */
export function removeLater(root: string): boolean {
  const program = hostProgram('rm')
  if (program === null) return false
  const child = spawn(program, ['-rf', '--', root], { detached: true, stdio: 'ignore', cwd: '/', env: { PATH: systemPath } })
  // The next search for leftovers finds what remains.
  child.once('error', () => undefined)
  child.unref()
  return true
}
