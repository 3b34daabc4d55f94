import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./frozen-guard.pl', import.meta.url))

/**
 * Starts what kills the init if something in the cell runs while Paddock is stopped, for the time in which Paddock stops itself. Returns
 * what ends it. In Perl, because it stays in memory for as long as a user leaves the job stopped.
 */
export function guardFrozen(perl: string, init: number): () => void {
  const text = readFileSync(`/proc/${init}/stat`, 'latin1')
  const born = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  const words = ['-t', program, String(process.pid), String(init), born]
  // A session of its own: what stops the job of Paddock must not stop it.
  const child = spawn(perl, words, { detached: true, stdio: 'ignore', cwd: '/', env: {} })
  child.once('error', () => undefined)
  child.unref()
  return () => void child.kill('SIGKILL')
}
