import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { spawn } from '../../system/start-program.ts'

const program = fileURLToPath(new URL('./frozen-guard.pl', import.meta.url))

/**
 * Starts a guard for the time in which Paddock is stopped. The guard kills the init if something in the cell runs meanwhile. Returns
 * a function that ends the guard. The guard is written in Perl to use little memory, because a user may leave the job stopped for long.
 */
export function guardFrozen(perl: string, init: number): () => void {
  const text = readFileSync(`/proc/${init}/stat`, 'latin1')
  const born = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  const words = ['-t', program, String(process.pid), String(init), born]
  // In a new session, because the signal that stops Paddock's job must not stop the guard.
  const child = spawn(perl, words, { detached: true, stdio: 'ignore', cwd: '/', env: {} })
  child.once('error', () => undefined)
  child.unref()
  return () => void child.kill('SIGKILL')
}
