import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Decrypter } from 'age-encryption'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Keyring, type KeyringOptions, keychain, secretService, systemKeyring } from '../../src/credentials/vault/keyring.ts'
import { keyFromKeyring, newKeyInKeyring } from '../../src/credentials/vault/keyring-key.ts'
import { initVault, openVault, type Vault } from '../../src/credentials/vault/vault.ts'
import { temporary } from '../support/temporary.ts'
import { quickKey, refused, wish } from './vault-lab.ts'

const program = fileURLToPath(new URL('../fixtures/keyring-program.mjs', import.meta.url))

describe.each([
  ['secret-tool', secretService],
  ['security', keychain],
] as const)('a vault whose key is in a keyring, by %s', (name, open) => {
  let place: Awaited<ReturnType<typeof temporary>>
  let keyring: Keyring
  const options = (more: Partial<KeyringOptions> = {}): KeyringOptions => ({
    vaultFile: place.at('vault/vault.age'),
    program: place.at(name),
    env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, KEYRING_DIRECTORY: place.path },
    ...more,
  })
  const mode = (text: string): void => writeFileSync(place.at('mode'), text)
  const unlocked = async (): Promise<Vault> => (await openVault(place.path)).unlock(await keyFromKeyring(keyring))
  beforeEach(async () => {
    place = await temporary()
    copyFileSync(program, place.at(name))
    chmodSync(place.at(name), 0o755)
    keyring = open(options())
  })
  afterEach(() => place[Symbol.asyncDispose]())

  const made = async (): Promise<void> => {
    const { key, settle } = await newKeyInKeyring(keyring)
    using vault = await initVault(place.path, key)
    await settle()
    await vault.set(wish('KEY', 'the value'))
  }

  it('opens without a word; the key is in no argument and no environment', async () => {
    await made()
    const locked = await openVault(place.path)
    expect(locked.kind).toBe('keyring')
    using vault = await unlocked()
    expect(vault.get('KEY').text()).toBe('the value')
    const stored = readFileSync(place.at(readdirSync(place.path).find((each) => each.startsWith('item-')) ?? ''), 'utf8')
    expect(stored).toMatch(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/)
    expect(readFileSync(place.at('seen'), 'utf8')).not.toContain('AGE-SECRET')
    // The keyring contains an identity in age's format.
    const decrypter = new Decrypter()
    decrypter.addIdentity(stored)
    expect(JSON.parse(await decrypter.decrypt(readFileSync(vault.file), 'text'))).toMatchObject({ schemaVersion: 1 })
  })

  it('a new key takes the place of the old one, also after a crash between file and keyring', async () => {
    await made()
    const { key } = await newKeyInKeyring(keyring)
    using both = await unlocked()
    expect(both.list()).toHaveLength(1)
    {
      using vault = await unlocked()
      await vault.rekey(key)
    }
    const { key: another, settle } = await newKeyInKeyring(keyring)
    using vault = await unlocked()
    await vault.rekey(another)
    await settle()
    using again = await unlocked()
    expect(again.get('KEY').text()).toBe('the value')
    expect(readFileSync(place.at(readdirSync(place.path).find((each) => each.startsWith('item-')) ?? ''), 'utf8')).not.toContain(',')
  })

  it('from a passphrase to the keyring and back', async () => {
    using vault = await initVault(place.path, quickKey())
    await vault.set(wish('KEY', 'the value'))
    const { key, settle } = await newKeyInKeyring(keyring)
    await vault.rekey(key)
    await settle()
    using there = await unlocked()
    expect(there.get('KEY').text()).toBe('the value')
    await there.rekey(quickKey('back again'))
    using back = await (await openVault(place.path)).unlock(quickKey('back again'))
    expect(back.get('KEY').text()).toBe('the value')
  })

  it('locked, empty, foreign, silent or missing: each is one sentence and the fix', async () => {
    await made()
    const before = readFileSync(place.at('vault/vault.age'))
    const says = async (): Promise<string> => {
      const error = await refused(() => unlocked())
      expect([['CREDENTIAL_FAILED', 'VAULT_LOCKED'].includes(error.code), Boolean(error.hint)]).toEqual([true, true])
      expect(`${error.message} ${error.hint}`).not.toContain('AGE-SECRET')
      return error.message
    }
    mode('locked')
    if (name === 'security')
      expect(await says()).toBe('The Keychain did not answer: security: SecKeychainItemCopyContent: User interaction is not allowed.')
    await refused(() => newKeyInKeyring(keyring).then(() => (name === 'security' ? undefined : keyring.read())))
    if (name === 'security') {
      mode('denied')
      expect(await says()).toBe('The Keychain did not answer: the user said no')
    }
    mode('open')
    const item = place.at(readdirSync(place.path).find((each) => each.startsWith('item-')) ?? '')
    writeFileSync(item, 'something else')
    expect(await says()).toMatch(/for this vault is not an age key\.$/)
    rmSync(item)
    expect(await says()).toMatch(/holds no key for this vault\.$/)
    mode('hangs')
    keyring = open(options({ timeLimitMs: 300 }))
    expect(await says()).toMatch(/did not answer in 0\.3 s\.$/)
    keyring = open(options({ program: place.at('nowhere') }))
    expect(await says()).toMatch(/is not installed\.$/)
    expect(readFileSync(place.at('vault/vault.age'))).toEqual(before)
  })

  it('the key of another vault does not open it', async () => {
    await made()
    const { settle } = await newKeyInKeyring(keyring)
    await settle()
    expect((await refused(unlocked)).message).toMatch(/^The key in the keyring does not open /)
  })
})

it('each system has its own', () => {
  expect(systemKeyring({ vaultFile: '/x', env: {} }, 'darwin').name).toBe('the Keychain')
  expect(systemKeyring({ vaultFile: '/x', env: {} }, 'linux').name).toBe('the keyring')
  expect(existsSync(program)).toBe(true)
})
