import { PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { vaultMeans } from '../../credentials/vault/means.ts'
import { accessVault, type VaultAccess } from '../../credentials/vault/vault-access.ts'
import type { Secret } from '../../secrets/secret.ts'
import { askSecret, canAsk, passphraseFromDescriptor, passphraseFromInput } from '../terminal/ask-secret.ts'

export interface PassphraseOptions {
  readonly passphraseFd?: string
}

/** Minimum length of a new passphrase in characters. For age's recommendation see docs/guide/vault.md. */
const minPassphrase = 8

/** Opens the vault for a command, asking for the passphrase if needed. `inputIsTaken`: standard input is used for something else. */
export function openForCommand(paths: Paths, options: PassphraseOptions, inputIsTaken = false): Promise<VaultAccess> {
  return accessVault(vaultMeans(paths, process.env, () => presentPassphrase(options, inputIsTaken)))
}

/** Hint for commands that need two passphrases and have no terminal. */
const twoPassphrases = 'Give the present one and a new one, a line each on standard input, or with --passphrase-fd and --new-passphrase-fd'

/** Returns the current passphrase. Commands that export everything or change keys need it even while the vault is unlocked. */
export async function passphraseAgain(options: PassphraseOptions, command: string): Promise<Secret> {
  try {
    return await presentPassphrase(options)
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code !== 'VAULT_LOCKED') throw error
    throw new PaddockError('VAULT_LOCKED', `paddock vault ${command} needs the passphrase of the vault, even while it is unlocked.`, {
      hint: twoPassphrases,
    })
  }
}

/** Returns the current passphrase of the vault: from a descriptor, typed, or from a line of standard input. */
export async function presentPassphrase(options: PassphraseOptions, inputIsTaken = false): Promise<Secret> {
  if (options.passphraseFd !== undefined) return passphraseFromDescriptor('--passphrase-fd', options.passphraseFd)
  if (canAsk()) return askSecret('passphrase', 'Passphrase of the vault')
  const passphrase = inputIsTaken ? null : await passphraseFromInput()
  if (passphrase !== null && passphrase.length > 0) return passphrase
  throw new PaddockError('VAULT_LOCKED', 'The vault is locked, and no passphrase was given.', {
    hint: inputIsTaken
      ? 'Run: paddock vault unlock. Or give the passphrase with --passphrase-fd'
      : 'Run: paddock vault unlock. Or give the passphrase on standard input or with --passphrase-fd',
  })
}

/** Returns a new passphrase, from a descriptor, from standard input, or typed twice. */
export async function newPassphrase(option: string, descriptor: string | undefined, of: string): Promise<Secret> {
  const passphrase = await unchecked(option, descriptor, of)
  if ([...passphrase.text()].length >= minPassphrase) return passphrase
  const isMissing = passphrase.length === 0 && !canAsk()
  passphrase.dispose()
  if (isMissing)
    throw new PaddockError('BAD_INPUT', `No passphrase for ${of} was given; nothing was changed.`, {
      hint: option === '--passphrase-fd' ? `Give it on standard input or with ${option}` : twoPassphrases,
    })
  throw new PaddockError('BAD_INPUT', `A passphrase has at least ${minPassphrase} characters; nothing was changed.`, {
    hint: 'Five or six random words are strong and easy to remember',
  })
}

async function unchecked(option: string, descriptor: string | undefined, of: string): Promise<Secret> {
  if (descriptor !== undefined) return passphraseFromDescriptor(option, descriptor)
  if (!canAsk()) return passphraseFromInput()
  const first = await askSecret('passphrase', `New passphrase of ${of}`)
  using second = await askSecret('passphrase', 'The same again')
  if (first.equals(second)) return first
  first.dispose()
  throw new PaddockError('BAD_INPUT', 'The two passphrases are not the same; nothing was changed.', { hint: 'Try again' })
}
