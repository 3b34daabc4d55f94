import { createHash } from 'node:crypto'
import { PaddockError } from '../../base/errors.ts'
import { Secret } from '../../secrets/secret.ts'
import { hostProgram, refusedProgram } from '../../system/host-program.ts'
import { installHint } from '../../system/packages.ts'
import { type Answer, askProgram } from './ask-program.ts'

/** An item of the operating system's keyring. Secrets are passed to its program only on standard input and returned on standard output. */
export interface Keyring {
  /** The name of the keyring, for messages. */
  readonly name: string
  /** Returns the value of the item; null if it does not exist. */
  read(): Promise<Secret | null>
  write(value: Secret): Promise<void>
}

export interface KeyringOptions {
  /** The vault file of the item. Each file has its own item. */
  readonly vaultFile: string
  /** The absolute path of the keyring's program. By default, `hostProgram` finds it. */
  readonly program?: string
  /** The user's PATH. */
  readonly searchPath?: string
  /** The program's environment, with the variables for finding the user's session: DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, HOME. */
  readonly env: Readonly<Record<string, string>>
  /** The time limit in milliseconds. The user may be asked to unlock the keyring in this time. */
  readonly timeLimitMs?: number
}

const service = 'paddock-vault'
const accountOf = (options: KeyringOptions): string => createHash('sha256').update(options.vaultFile).digest('hex').slice(0, 32)

export function systemKeyring(options: KeyringOptions, platform: NodeJS.Platform = process.platform): Keyring {
  return platform === 'darwin' ? keychain(options) : secretService(options)
}

/**
 * Returns the keyring of the Secret Service (GNOME Keyring, KWallet, KeePassXC), used through `secret-tool` (secret-tool(1), package
 * libsecret-tools).
 */
export function secretService(options: KeyringOptions): Keyring {
  const name = 'the keyring'
  const attributes = ['service', service, 'account', accountOf(options)]
  const ask = (args: readonly string[], input: Secret | null): Promise<Answer> =>
    askKeyring('secret-tool', options, args, input, `${installHint('secret-tool')}. A keyring must be running too`)
  return {
    name,
    async read() {
      const { code, output, errors } = await ask(['lookup', ...attributes], null)
      // The program exits with 1 and without output if the item does not exist.
      if (code !== 0 && errors !== '') throw refused(name, errors)
      return code === 0 && output.length > 0 ? Secret.take('vault key', withoutNewline(output)) : null
    },
    async write(value) {
      const { code, errors } = await ask(['store', '--label=Paddock vault', ...attributes], value)
      if (code !== 0) throw refused(name, errors)
    },
  }
}

/** Returns the keychain of macOS (security(1)). `ps` shows arguments, so the command that stores a value is passed to `security -i`. */
export function keychain(options: KeyringOptions): Keyring {
  const name = 'the Keychain'
  const account = accountOf(options)
  const ask = (args: readonly string[], input: Secret | null): Promise<Answer> =>
    askKeyring('security', options, args, input, 'Check that it is installed (it is part of macOS)')
  const read = async (): Promise<Secret | null> => {
    const { code, output, errors } = await ask(['find-generic-password', '-s', service, '-a', account, '-w'], null)
    if (code === 0 && output.length > 0) return Secret.take('vault key', withoutNewline(output))
    // This is the exit code for errSecItemNotFound.
    if (code === 44) return null
    throw refused(name, errors === '' ? (known[code ?? -1] ?? `exit code ${code}`) : errors)
  }
  return {
    name,
    read,
    async write(value) {
      const start = Buffer.from(`add-generic-password -U -s ${service} -a ${account} -l "Paddock vault" -w "`)
      using line = value.use((bytes) => Secret.take('vault key', Buffer.concat([start, bytes, Buffer.from('"\n')])))
      const { errors } = await ask(['-i'], line)
      // The exit code of `security -i` is not that of the command.
      using stored = await read()
      if (stored === null || !stored.equals(value)) throw refused(name, errors)
    },
  }
}

/** @throws PaddockError CREDENTIAL_FAILED as `askProgram`, also if the only program of that name may not run */
async function askKeyring(
  name: string,
  options: KeyringOptions,
  args: readonly string[],
  input: Secret | null,
  install: string,
): Promise<Answer> {
  const searchPath = options.searchPath ?? ''
  const program = options.program ?? hostProgram(name, searchPath)
  if (program !== null) return askProgram({ ...options, program, args, input, install })
  const refusal = refusedProgram(name, searchPath)
  throw new PaddockError('CREDENTIAL_FAILED', refusal === null ? `${name} is not installed.` : `${refusal.message}.`, {
    hint: refusal?.hint ?? install,
  })
}

/** Exit codes of `security`: OSStatus codes of Security.framework, cut to a byte. */
const known: Readonly<Record<number, string>> = { 36: 'it is locked and may not ask', 51: 'access was denied', 128: 'the user said no' }

function refused(name: string, why: string): PaddockError {
  const said = why.trim().split('\n')[0]?.slice(0, 200) ?? ''
  return new PaddockError(
    'CREDENTIAL_FAILED',
    `${name.charAt(0).toUpperCase()}${name.slice(1)} did not answer${said === '' ? '' : `: ${said}`}`,
    {
      hint: 'Unlock it, or protect the vault with a passphrase: paddock vault rekey --passphrase',
    },
  )
}

function withoutNewline(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
}
