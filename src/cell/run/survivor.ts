import { spawn } from '../../system/start-program.ts'

/** Outlives a killed Paddock and its terminal, because it waits in a session of its own. */
const script = 'read ended || exec "$@"'

/**
 * Starts a process that runs a command if this process is killed, even by `kill -9`. Returns a function that ends it. `command` does without a
 * terminal; it has the standard error of this process.
 */
export function startSurvivor(command: readonly string[]): () => void {
  const survivor = spawn('/bin/sh', ['-c', script, 'paddock', ...command], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
    cwd: '/',
  })
  // Without it, the next start cleans up.
  survivor.on('error', () => undefined)
  survivor.stdin.on('error', () => undefined)
  survivor.unref()
  ;(survivor.stdin as unknown as { unref?(): void }).unref?.()
  return () => survivor.stdin.end('ended\n')
}
