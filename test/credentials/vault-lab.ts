import { PaddockError } from '../../src/base/errors.ts'
import { PassphraseKey } from '../../src/credentials/vault/age-key.ts'
import type { NewEntry } from '../../src/credentials/vault/entries.ts'
import { openVault, type Vault } from '../../src/credentials/vault/vault.ts'
import { Secret } from '../../src/secrets/secret.ts'

export const passphrase = 'correct horse battery'

/** Returns a key with a fast derivation. The work factor is in the file, so any key opens it. */
export const quickKey = (text: string = passphrase): PassphraseKey => new PassphraseKey(Secret.fromText('passphrase', text), 4)

export const wish = (name: string, value: string | Uint8Array, more: Partial<NewEntry> = {}): NewEntry => ({
  name,
  value: typeof value === 'string' ? Secret.fromText(name, value) : Secret.take(name, Buffer.from(value)),
  hosts: ['api.example.com'],
  ...more,
})

export const unlocked = async (directory: string, text?: string): Promise<Vault> => (await openVault(directory)).unlock(quickKey(text))

/** Returns the error that was thrown, which must be one for the user. */
export async function refused(act: () => unknown): Promise<PaddockError> {
  try {
    await act()
  } catch (error) {
    if (error instanceof PaddockError) return error
    throw error
  }
  throw new Error('it was not refused')
}
