import { accessVault, type VaultAccess, type VaultMeans } from '../../credentials/vault/access.ts'
import { PassphraseKey } from '../../credentials/vault/age-key.ts'
import { systemKeyring } from '../../credentials/vault/keyring.ts'
import { openVault } from '../../credentials/vault/vault.ts'
import { PaddockError } from '../../errors.ts'
import type { Paths } from '../../paths.ts'
import type { Secret } from '../../secrets/secret.ts'
import { askSecret, canAsk, passphraseFromDescriptor, passphraseFromInput } from '../terminal/ask-secret.ts'

export interface PassphraseOptions {
  readonly passphraseFd?: string
}

/** Of a new passphrase, in characters: what age asks of people is in docs/guide/vault.md. */
const minPassphrase = 8

/** How any command comes to the vault. With `mayAsk`, a passphrase that nothing else gives is asked for. */
export function vaultMeans(paths: Paths, mayAsk?: () => Promise<Secret>): VaultMeans {
  return {
    configDirectory: paths.config,
    stateDirectory: paths.state,
    keyring: (vaultFile) => systemKeyring({ vaultFile, env: keyringEnvironment(process.env) }),
    ...(mayAsk === undefined ? {} : { passphrase: async () => (await openVault(paths.config)).unlock(new PassphraseKey(await mayAsk())) }),
  }
}

/** For `paddock vault …`: asks where it must. `inputIsTaken` where standard input brings something else. */
export function openForCommand(paths: Paths, options: PassphraseOptions, inputIsTaken = false): Promise<VaultAccess> {
  return accessVault(vaultMeans(paths, () => presentPassphrase(options, inputIsTaken)))
}

/** What an export asks for where there is no terminal. */
const twoPassphrases = 'give the present one and a new one, a line each on standard input, or with --passphrase-fd and --new-passphrase-fd'

/** The present passphrase, for a command that needs it even while the vault is unlocked, because it hands everything out or changes keys. */
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

/** The passphrase that opens the vault now: of a descriptor, typed, or a line of standard input. */
export async function presentPassphrase(options: PassphraseOptions, inputIsTaken = false): Promise<Secret> {
  if (options.passphraseFd !== undefined) return passphraseFromDescriptor('--passphrase-fd', options.passphraseFd)
  if (canAsk()) return askSecret('passphrase', 'Passphrase of the vault')
  const passphrase = inputIsTaken ? null : await passphraseFromInput()
  if (passphrase !== null && passphrase.length > 0) return passphrase
  throw new PaddockError('VAULT_LOCKED', 'The vault is locked, and no passphrase was given.', {
    hint: inputIsTaken
      ? 'first: paddock vault unlock; or give it with --passphrase-fd'
      : 'paddock vault unlock, or give it on standard input or with --passphrase-fd',
  })
}

/** A passphrase that shall open something from now on; typed twice. */
export async function newPassphrase(option: string, descriptor: string | undefined, of: string): Promise<Secret> {
  const passphrase = await unchecked(option, descriptor, of)
  if ([...passphrase.text()].length >= minPassphrase) return passphrase
  const isMissing = passphrase.length === 0 && !canAsk()
  passphrase.dispose()
  if (isMissing)
    throw new PaddockError('BAD_INPUT', `No passphrase for ${of} was given; nothing was changed.`, {
      hint: option === '--passphrase-fd' ? `give it on standard input or with ${option}` : twoPassphrases,
    })
  throw new PaddockError('BAD_INPUT', `A passphrase has at least ${minPassphrase} characters; nothing was changed.`, {
    hint: 'five or six words by chance are good and easy to keep',
  })
}

async function unchecked(option: string, descriptor: string | undefined, of: string): Promise<Secret> {
  if (descriptor !== undefined) return passphraseFromDescriptor(option, descriptor)
  if (!canAsk()) return passphraseFromInput()
  const first = await askSecret('passphrase', `New passphrase of ${of}`)
  using second = await askSecret('passphrase', 'The same again')
  if (first.equals(second)) return first
  first.dispose()
  throw new PaddockError('BAD_INPUT', 'The two passphrases are not the same; nothing was changed.', { hint: 'try again' })
}

/** What the program of a keyring needs to find the session of its user, and no more. */
function keyringEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['PATH', 'HOME', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'LANG']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
