import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Paths } from '../../base/paths.ts'
import { takeLock } from '../../files/lock.ts'
import { agentDirectory, connectAgent } from './agent-client.ts'
import { serveVault } from './agent-process.ts'
import { socketName } from './agent-protocol.ts'
import { privateDirectory } from './private-place.ts'
import type { Vault } from './vault.ts'

const lockWaitMs = 10_000

/**
 * Keeps an open vault unlocked for other processes until `until` (milliseconds of the wall clock) or `stopped`. Only one process does so at
 * a time: an earlier one is asked to end, and a kernel lock shows when it has ended. Changes the working directory of this process.
 */
export async function keepUnlocked(
  vault: Vault,
  { state }: Pick<Paths, 'state'>,
  until: number,
  stopped: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const directory = agentDirectory(state)
  await privateDirectory(directory)
  using before = await connectAgent(state)
  await before?.lock().catch(() => undefined)
  const lock = await takeLock({
    file: path.join(directory, 'agent.db'),
    what: 'The unlocked vault',
    command: 'paddock vault unlock',
    patienceMs: lockWaitMs,
    hint: 'Try again',
  })
  process.chdir(directory)
  rmSync(socketName, { force: true })
  const { ended } = await serveVault(vault, { socket: socketName, until, signal: stopped })
  return { ended: ended.finally(() => lock[Symbol.dispose]()) }
}
