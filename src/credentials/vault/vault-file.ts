import { chmod, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { takeLock } from '../../files/lock.ts'
import { privateDirectory, readPrivate, versionOf } from './private-place.ts'
import { maxVaultBytes } from './vault-schema.ts'

/** How long a change waits for those of other processes, in milliseconds. Each takes about a second. */
const lockWaitMs = 60_000

export const vaultPath = (configDirectory: string): string => path.join(configDirectory, 'vault', 'vault.age')

/** The single file of a vault: 0600 in a directory of 0700, replaced as a whole, changed by one process at a time. */
export class VaultFile {
  readonly directory: string
  readonly path: string

  constructor(configDirectory: string) {
    this.path = vaultPath(configDirectory)
    this.directory = path.dirname(this.path)
  }

  /** Returns the content of the file; null if it does not exist. */
  async read(): Promise<{ readonly bytes: Buffer; readonly version: string } | null> {
    if ((await stat(this.directory).catch(() => null)) === null) return null
    await privateDirectory(this.directory)
    return readPrivate(this.path, maxVaultBytes)
  }

  /** Returns the version that `read` would report; null if the file does not exist. */
  async version(): Promise<string | null> {
    const facts = await stat(this.path, { bigint: true }).catch(() => null)
    return facts === null ? null : versionOf(facts)
  }

  /** Replaces the file. The caller must hold the lock. */
  async write(bytes: Uint8Array): Promise<string | null> {
    if (bytes.length > maxVaultBytes)
      throw new PaddockError('BAD_INPUT', `The vault would grow beyond ${maxVaultBytes} bytes, so nothing was changed.`, {
        hint: 'Remove what you no longer need: paddock vault rm NAME',
      })
    await this.#sweep()
    await writeAtomic(this.path, bytes, { mode: 0o600 })
    return this.version()
  }

  /**
   * Runs `work` exclusively among processes. Makes the directory if missing. Throws BUSY if another process holds the lock for a minute.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await privateDirectory(this.directory)
    const file = path.join(this.directory, 'lock.db')
    using _lock = await takeLock({ file, what: `The vault ${this.path}`, command: 'a change of the vault', patienceMs: lockWaitMs })
    await chmod(file, 0o600)
    return await work()
  }

  /** Removes temporary files of a writer that was killed, which are encrypted and useless. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.directory))
      if (/^\.vault\.age\.[0-9a-f]{12}\.tmp$/.test(name)) await rm(path.join(this.directory, name), { force: true })
  }
}
