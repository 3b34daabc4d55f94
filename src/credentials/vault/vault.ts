import { PaddockError } from '../../base/errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { kindOf, openAge, sealAge, type VaultKind } from './age-file.ts'
import type { AgeKey } from './age-key.ts'
import { Entries, type NewEntry, type VaultEntry } from './entries.ts'
import { VaultFile } from './vault-file.ts'
import { parseDocument } from './vault-schema.ts'

/** A locked vault in its file format. */
export interface LockedVault {
  readonly file: string
  readonly kind: VaultKind
  /** Becomes the owner of the key, which is disposed of with the vault, or at once if it does not open the vault. */
  unlock(key: AgeKey): Promise<Vault>
}

/**
 * Opens the vault of a configuration directory, which is `vault/vault.age` in that directory.
 * @throws PaddockError NOT_FOUND if the file does not exist; NOT_ALLOWED, FILES_FAILED if it cannot be trusted
 */
export async function openVault(configDirectory: string): Promise<LockedVault> {
  const file = new VaultFile(configDirectory)
  const found = await file.read()
  if (found === null) throw new PaddockError('NOT_FOUND', `There is no vault yet (${file.path}).`, { hint: 'Run: paddock vault init' })
  return { file: file.path, kind: kindOf(found.bytes, file.path), unlock: (key) => unlock(file, key) }
}

/**
 * Makes a new, empty vault that this key opens. Becomes the owner of the key.
 * @throws PaddockError BAD_INPUT if its path already exists
 */
export async function initVault(configDirectory: string, key: AgeKey): Promise<Vault> {
  const file = new VaultFile(configDirectory)
  try {
    return await file.alone(async () => {
      if ((await file.read()) !== null)
        throw new PaddockError('BAD_INPUT', `${file.path} already exists.`, {
          hint: 'To change its passphrase, run: paddock vault rekey. To make another vault, move this one away first',
        })
      const version = await file.write(await sealed(Entries.empty(), key))
      return new Vault(file, key, Entries.empty(), version)
    })
  } catch (error) {
    key[Symbol.dispose]()
    throw error
  }
}

async function unlock(file: VaultFile, key: AgeKey): Promise<Vault> {
  try {
    const found = await file.read()
    if (found === null) throw new PaddockError('FILES_FAILED', `${file.path} has just been deleted.`, { hint: 'paddock vault init' })
    return new Vault(file, key, await opened(found.bytes, key, file.path), found.version)
  } catch (error) {
    key[Symbol.dispose]()
    throw error
  }
}

/**
 * An unlocked vault, with keys and values in the memory of this process. Reading needs no file access. Every change rereads the file under
 * a lock between processes, so that concurrent changes are kept, and replaces it as a whole. A change that fails changes nothing. If the
 * file was deleted in the meantime, a change (or `restore`) writes it again from memory.
 */
export class Vault {
  readonly #file: VaultFile
  #key: AgeKey
  #entries: Entries
  #version: string | null
  #locked = false

  constructor(file: VaultFile, key: AgeKey, entries: Entries, version: string | null) {
    this.#file = file
    this.#key = key
    this.#entries = entries
    this.#version = version
  }

  get file(): string {
    return this.#file.path
  }

  get kind(): AgeKey['kind'] {
    return this.#key.kind
  }

  /** Returns the entries sorted by name, without values. */
  list(): readonly VaultEntry[] {
    return this.#open().list()
  }

  /** Returns a copy of the value, which the caller must dispose of. Throws BAD_INPUT for an unknown name. */
  get(name: string): Secret {
    return this.#open().get(name)
  }

  entry(name: string): VaultEntry {
    return this.#open().entry(name)
  }

  /** Stores a secret, or changes the value, hosts or place of an existing one. */
  async set(wish: NewEntry): Promise<VaultEntry> {
    await this.#change((entries) => entries.with(wish, new Date()))
    return this.entry(wish.name)
  }

  async remove(name: string): Promise<void> {
    await this.#change((entries) => entries.without(name))
  }

  /**
   * Replaces the key that opens the vault. Becomes the owner of the new key. If this fails, the old key stays in use.
   * The old key still opens earlier copies of the file.
   */
  async rekey(key: AgeKey): Promise<void> {
    try {
      await this.#change((entries) => entries, key)
    } catch (error) {
      key[Symbol.dispose]()
      throw error
    }
  }

  /** Returns the same content as an age file for another key. The vault is not changed. */
  export(key: AgeKey): Promise<Uint8Array> {
    return sealed(this.#open(), key)
  }

  /** Returns the unencrypted content. The caller must zero it. */
  plain(): Buffer {
    return this.#open().encode()
  }

  /** Reads changes by other processes. If the file was deleted, this has no effect. */
  async refresh(): Promise<void> {
    const entries = this.#open()
    const now = await this.#file.version()
    if (now === null || now === this.#version) return
    const found = await this.#file.read()
    if (found !== null) this.#take(entries, await opened(found.bytes, this.#key, this.file), found.version)
  }

  /** Writes a deleted file again. Resolves to true if it was deleted. */
  async restore(): Promise<boolean> {
    this.#open()
    return this.#file.alone(async () => {
      if ((await this.#file.read()) !== null) return false
      this.#version = await this.#file.write(await sealed(this.#open(), this.#key))
      return true
    })
  }

  /** Zeroes the values and the key. The vault cannot be used afterwards. */
  lock(): void {
    this.#locked = true
    this.#entries.dispose(null)
    this.#key[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.lock()
  }

  async #change(edit: (entries: Entries) => Entries, newKey: AgeKey = this.#key): Promise<void> {
    this.#open()
    await this.#file.alone(async () => {
      const found = await this.#file.read()
      if (found !== null && found.version !== this.#version) {
        const before = this.#open()
        this.#take(before, await opened(found.bytes, this.#key, this.file), found.version)
      }
      const before = this.#open()
      const after = edit(before)
      try {
        this.#version = await this.#file.write(await sealed(after, newKey))
      } catch (error) {
        after.dispose(before)
        throw error
      }
      this.#take(before, after, this.#version)
      if (newKey !== this.#key) {
        this.#key[Symbol.dispose]()
        this.#key = newKey
      }
    })
  }

  #take(before: Entries, after: Entries, version: string | null): void {
    if (this.#locked) {
      after.dispose(null)
      this.#open()
    }
    before.dispose(after)
    this.#entries = after
    this.#version = version
  }

  #open(): Entries {
    if (this.#locked) throw vaultIsLocked()
    return this.#entries
  }
}

export function vaultIsLocked(): PaddockError {
  return new PaddockError('VAULT_LOCKED', 'The vault is locked.', { hint: 'paddock vault unlock' })
}

async function sealed(entries: Entries, key: AgeKey): Promise<Uint8Array> {
  const plain = entries.encode()
  try {
    return await sealAge(plain, key)
  } finally {
    plain.fill(0)
  }
}

async function opened(bytes: Uint8Array, key: AgeKey, file: string): Promise<Entries> {
  kindOf(bytes, file)
  const plain = await openAge(bytes, key, file)
  try {
    return Entries.of(parseDocument(plain, file))
  } finally {
    plain.fill(0)
  }
}
