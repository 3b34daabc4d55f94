import { type LockWish, takeLock, tryLock } from '../../files/lock.ts'
import { recover } from './adopt.ts'
import { makeVolume, type Volume } from './volume.ts'

/**
 * Takes a volume exclusively for this process, until the result is disposed of. What killed processes left in it is removed first. Makes the
 * volume if necessary.
 * @throws PaddockError BUSY, with the holder.
 */
export async function holdVolume(volume: Volume, command: string, patienceMs: number): Promise<Disposable> {
  await makeVolume(volume)
  return recovered(volume, await takeLock({ ...lockOf(volume), command, patienceMs }))
}

/** Does the same as `holdVolume`. Null if another process holds the volume. */
export async function tryHold(volume: Volume, command: string, patienceMs: number): Promise<Disposable | null> {
  await makeVolume(volume)
  const lock = await tryLock({ ...lockOf(volume), command, patienceMs })
  return lock === null ? null : recovered(volume, lock)
}

function lockOf({ agent, name, lockFile }: Volume): Omit<LockWish, 'command'> {
  return {
    file: lockFile,
    what: `The volume "${name}" of ${agent}`,
    hint: `Wait for it, or log in to another volume with: paddock login ${agent} --volume NAME`,
  }
}

async function recovered(volume: Volume, lock: Disposable): Promise<Disposable> {
  try {
    await recover(volume)
    return lock
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}
