import { generateX25519Identity } from 'age-encryption'
import { PaddockError } from '../../base/errors.ts'
import { Secret } from '../../secrets/secret.ts'
import { IdentityKey } from './age-key.ts'
import type { Keyring } from './keyring.ts'

const identityPattern = /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/

/**
 * Returns the key of a vault from the keyring.
 * @throws PaddockError VAULT_LOCKED if the keyring has no key, CREDENTIAL_FAILED if it does not answer or its item is not a key
 */
export async function keyFromKeyring(keyring: Keyring): Promise<IdentityKey> {
  const [first, ...rest] = await identitiesIn(keyring)
  if (first === undefined)
    throw new PaddockError('VAULT_LOCKED', `${keyring.name} holds no key for this vault.`, {
      hint: 'Move it back to the path and the keyring that it was made with',
    })
  return new IdentityKey([first, ...rest])
}

/**
 * Makes a new key, which is stored in the keyring before anything is encrypted to it. An existing key is kept next to it until `settle` is
 * called, because the file may still need it.
 */
export async function newKeyInKeyring(keyring: Keyring): Promise<{ readonly key: IdentityKey; settle(): Promise<void> }> {
  const before = await identitiesIn(keyring)
  const fresh = Secret.fromText('vault key', await generateX25519Identity())
  try {
    // Of keys that a crash has left behind, only the newest few are kept.
    await write(keyring, [fresh, ...before.slice(0, 3)])
  } finally {
    for (const each of before) each.dispose()
  }
  return { key: new IdentityKey([fresh]), settle: () => write(keyring, [fresh]) }
}

async function write(keyring: Keyring, identities: readonly Secret[]): Promise<void> {
  using all = Secret.fromText('vault key', identities.map((each) => each.text()).join(','))
  await keyring.write(all)
}

async function identitiesIn(keyring: Keyring): Promise<readonly Secret[]> {
  using stored = await keyring.read()
  if (stored === null) return []
  const parts = stored.text().split(',')
  if (parts.length > 8 || !parts.every((each) => identityPattern.test(each)))
    throw new PaddockError('CREDENTIAL_FAILED', `The entry of ${keyring.name} for this vault is not an age key.`, {
      hint: 'Look at the item "Paddock vault" in the keyring. It was not changed',
    })
  return parts.map((each) => Secret.fromText('vault key', each))
}
