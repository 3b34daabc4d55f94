import { cpus } from 'node:os'
import { trustOf } from '../../config/trust.ts'
import type { ContestDeps } from '../../contest/run/deps.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { trustStore } from '../config/configured.ts'
import { onEndSignal } from '../terminal/signals.ts'

/** What a contest needs of the world, from the command line; who shows its progress is not in it. */
export function contestDeps(host: Host, signal: AbortSignal): Omit<ContestDeps, 'progress'> {
  return {
    ...host,
    audit: host.audit.write,
    isTrusted: async (file, sha256) => (await trustOf(trustStore(host.paths), file, sha256)) === 'trusted',
    now: () => new Date(),
    signal,
    machine: { memoryBytes: host.machine.memoryBytes, cpus: cpus().length },
  }
}

/** The first Ctrl-C ends all cells and keeps what is done; the second does not wait for it. `command` goes on from there. */
export function onInterrupt(cancel: AbortController, view: { note(text: string): void }, command: string): () => void {
  const interrupt = (): void => {
    if (cancel.signal.aborted) process.exit(exitCodes.cancelled)
    view.note(`ending all cells; what is done is kept, and "${command}" continues from here`)
    cancel.abort(new PaddockError('CANCELLED', 'The contest was interrupted.', { hint: `Go on with: ${command}` }))
  }
  return onEndSignal(interrupt)
}
