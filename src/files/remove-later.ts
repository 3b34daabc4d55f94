import { spawn } from 'node:child_process'
import { systemPath, systemProgram } from '../system/system-program.ts'

/**
 * Deletes a tree by a process of its own (rm(1)), which goes on when this one has ended. What it cannot delete, directories without the
 * owner's permissions for example, is left to `removeTree`. False if there is no such program.
 */
export function removeLater(root: string): boolean {
  const program = systemProgram('rm')
  if (program === null) return false
  const child = spawn(program, ['-rf', '--', root], { detached: true, stdio: 'ignore', cwd: '/', env: { PATH: systemPath } })
  // What is left then, the next look at what was left finds.
  child.once('error', () => undefined)
  child.unref()
  return true
}
