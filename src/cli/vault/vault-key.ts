import { existsSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { PassphraseKey } from '../../credentials/vault/age-key.ts'
import { connectAgent } from '../../credentials/vault/agent-client.ts'
import { keyFromKeyring, newKeyInKeyring } from '../../credentials/vault/keyring-key.ts'
import { vaultMeans } from '../../credentials/vault/means.ts'
import { initVault, openVault, type Vault } from '../../credentials/vault/vault.ts'
import { vaultPath } from '../../credentials/vault/vault-file.ts'
import { noteEvent } from '../audit/note-event.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { newPassphrase, type PassphraseOptions, passphraseAgain } from './vault-open.ts'

/** `paddock vault init`: makes a new, empty vault, with a passphrase or a key in the keyring. */
export async function vaultInit(options: PassphraseOptions & { readonly keyring?: boolean }): Promise<Answer<Result<'vault init'>>> {
  const paths = resolvePaths(process.env)
  const file = vaultPath(paths.config)
  if (existsSync(file))
    throw new PaddockError('BAD_INPUT', `${file} already exists.`, {
      hint:
        options.keyring === true
          ? 'To move its key to the keyring: paddock vault rekey --keyring'
          : 'To change its passphrase: paddock vault rekey',
    })
  using agent = await connectAgent(paths.state)
  if (agent !== null && (await agent.status()).file === file)
    throw new PaddockError('BAD_INPUT', `${file} was deleted, and is still unlocked in memory; nothing was changed.`, {
      hint: 'To write it again: paddock vault unlock. To give it up: paddock vault lock',
    })
  if (options.keyring === true) {
    const { key, settle } = await newKeyInKeyring(vaultMeans(paths, process.env).keyring(file))
    using _vault = await initVault(paths.config, key)
    await settle()
  } else {
    using _vault = await initVault(
      paths.config,
      new PassphraseKey(await newPassphrase('--passphrase-fd', options.passphraseFd, 'the vault')),
    )
  }
  const kind = options.keyring === true ? 'keyring' : 'passphrase'
  noteEvent(paths, 'vault.made', { kind })
  const key = kind === 'keyring' ? 'Its key is in the keyring.' : 'There is no way to recover the passphrase.'
  return { data: { schemaVersion: 1, file, kind }, notes: [`${file} is created. ${key}`] }
}

export interface RekeyOptions extends PassphraseOptions {
  readonly newPassphraseFd?: string
  readonly keyring?: boolean
  readonly passphrase?: boolean
}

/** `paddock vault rekey`: changes the passphrase or the key in the keyring, or replaces one with the other. */
export async function vaultRekey(options: RekeyOptions): Promise<Answer<Result<'vault rekey'>>> {
  const paths = resolvePaths(process.env)
  if (options.keyring === true && options.passphrase === true)
    throw new PaddockError('BAD_INPUT', '--keyring and --passphrase cannot be combined: a vault has one of them.', { hint: 'Give one' })
  using vault = await openHere(paths, options, 'rekey')
  const toKeyring = options.keyring === true || (options.passphrase !== true && vault.kind === 'keyring')
  if (toKeyring) {
    const { key, settle } = await newKeyInKeyring(vaultMeans(paths, process.env).keyring(vault.file))
    await vault.rekey(key)
    await settle()
  } else await vault.rekey(new PassphraseKey(await newPassphrase('--new-passphrase-fd', options.newPassphraseFd, 'the vault')))
  // The key that the vault agent has does not open the vault any more.
  using agent = await connectAgent(paths.state)
  await agent?.lock()
  const locked = agent === null ? '' : '; it is locked now'
  const kind = toKeyring ? 'keyring' : 'passphrase'
  noteEvent(paths, 'vault.rekeyed', { kind })
  const what = toKeyring ? 'key, which is in the keyring' : 'passphrase'
  return {
    data: { schemaVersion: 1, file: vault.file, kind },
    notes: [`${vault.file} has a new ${what}; earlier copies still open with the old one${locked}`],
  }
}

/** Opens the vault in this process with its own key. Changing keys does not rely on an earlier unlock. */
export async function openHere(paths: Paths, options: PassphraseOptions, command: string): Promise<Vault> {
  const locked = await openVault(paths.config)
  if (locked.kind === 'keyring') return locked.unlock(await keyFromKeyring(vaultMeans(paths, process.env).keyring(locked.file)))
  return locked.unlock(new PassphraseKey(await passphraseAgain(options, command)))
}
