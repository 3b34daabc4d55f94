import { existsSync } from 'node:fs'
import { PassphraseKey } from '../../credentials/vault/age-key.ts'
import { agentDirectory, connectAgent } from '../../credentials/vault/agent-client.ts'
import type { VaultEntry } from '../../credentials/vault/entries.ts'
import { keyFromKeyring, newKeyInKeyring } from '../../credentials/vault/keyring-key.ts'
import { vaultMeans } from '../../credentials/vault/means.ts'
import { checkedName } from '../../credentials/vault/name.ts'
import { maxSecretBytes, type SecretPlace } from '../../credentials/vault/schema.ts'
import { initVault, openVault, type Vault } from '../../credentials/vault/vault.ts'
import { vaultPath } from '../../credentials/vault/vault-file.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { type Paths, resolvePaths } from '../../paths.ts'
import { durationRule, formatDuration, formatSize, parseDuration } from '../../quantities.ts'
import type { Secret } from '../../secrets/secret.ts'
import { printable } from '../../text.ts'
import { noteEvent } from '../audit/note-event.ts'
import { askSecret, canAsk, valueFromInput } from '../terminal/ask-secret.ts'
import { printJson, say } from '../terminal/output.ts'
import { startVaultAgent } from './vault-agent.ts'
import { newPassphrase, openForCommand, type PassphraseOptions, passphraseAgain, presentPassphrase } from './vault-open.ts'

interface Json {
  readonly json?: boolean
}

const longestUnlockMs = 24 * 60 * 60_000

const pathsNow = (): Paths => resolvePaths(process.env)

/** `paddock vault init`: a new, empty vault, under a passphrase or a key that the keyring keeps. */
export async function vaultInit(options: PassphraseOptions & Json & { readonly keyring?: boolean }): Promise<number> {
  const paths = pathsNow()
  const file = vaultPath(paths.config)
  if (existsSync(file))
    throw new PaddockError('BAD_INPUT', `${file} is there already, and was left as it is.`, {
      hint: options.keyring === true ? 'a key in the keyring: paddock vault rekey --keyring' : 'another passphrase: paddock vault rekey',
    })
  using agent = await connectAgent(paths.state)
  if (agent !== null && (await agent.status()).file === file)
    throw new PaddockError('BAD_INPUT', `${file} was deleted, and is still unlocked in memory; nothing was changed.`, {
      hint: 'write it anew: paddock vault unlock; or let it go: paddock vault lock',
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
  if (options.json === true) printJson({ schemaVersion: 1, file, kind })
  else
    say(
      `${file} is made; ${kind === 'keyring' ? 'its key is in the keyring' : 'nobody can open it without the passphrase, and it cannot be found again'}`,
    )
  return exitCodes.done
}

export interface SetOptions extends PassphraseOptions, Json {
  readonly host: readonly string[]
  readonly place?: string
}

/** `paddock vault set`: the value comes from a prompt or from standard input, never from the command line. */
export async function vaultSet(name: string, options: SetOptions): Promise<number> {
  checkedName(name)
  const paths = pathsNow()
  const place = options.place === undefined ? undefined : placeOf(options.place)
  using access = await openForCommand(paths, options, true)
  // Said before the value is asked for.
  if (options.host.length === 0 && !(await access.list()).some((each) => each.name === name))
    throw new PaddockError('BAD_INPUT', `${name}: no host is named that this secret may be sent to, so nothing was stored.`, {
      hint: `paddock vault set ${name} --host api.example.com`,
    })
  using value = canAsk() ? await askSecret(name, `Value of ${name}`) : await valueFromInput(name, maxSecretBytes + 1)
  const entry = await access.set({
    name,
    value,
    ...(options.host.length === 0 ? {} : { hosts: options.host }),
    ...(place === undefined ? {} : { place }),
  })
  noteEvent(paths, 'vault.set', { name, hosts: entry.hosts })
  if (options.json === true) printJson({ schemaVersion: 1, entry })
  else say(`${name} is stored, for ${entry.hosts.join(', ')}`)
  return exitCodes.done
}

/** `paddock vault list`: names, hosts and sizes. */
export async function vaultList(options: PassphraseOptions & Json): Promise<number> {
  const paths = pathsNow()
  using access = await openForCommand(paths, options)
  const entries = await access.list()
  using agent = await connectAgent(paths.state)
  const until = agent === null ? null : new Date((await agent.status()).until).toISOString()
  if (options.json === true) printJson({ schemaVersion: 1, entries, until })
  else if (entries.length === 0) say('the vault is empty')
  for (const each of options.json === true ? [] : entries) process.stdout.write(`${printable(line(each))}\n`)
  return exitCodes.done
}

/** `paddock vault show`: what is known of one secret; its value only for the eyes of whoever sits at a terminal. */
export async function vaultShow(name: string, options: PassphraseOptions & Json & { readonly reveal?: boolean }): Promise<number> {
  checkedName(name)
  if (options.reveal === true) refuseUnlessSeen(options)
  const paths = pathsNow()
  using access = await openForCommand(paths, options)
  if (options.reveal === true) {
    using secret = (await access.get(name)).secret
    const shown = shownValue(secret)
    noteEvent(paths, 'vault.revealed', { name })
    process.stdout.write(shown)
    return exitCodes.done
  }
  const entry = await access.entry(name)
  if (options.json === true) printJson({ schemaVersion: 1, entry })
  else {
    const place = entry.place === undefined ? 'where the agent puts it' : placeText(entry.place)
    const lines = [
      `hosts    ${entry.hosts.join(', ')}`,
      `place    ${place}`,
      `size     ${entry.bytes} bytes`,
      `created  ${entry.createdAt}`,
      `updated  ${entry.updatedAt}`,
    ]
    process.stdout.write(`${[name, ...lines.map((each) => `  ${each}`)].map(printable).join('\n')}\n`)
  }
  return exitCodes.done
}

/** `paddock vault rm`. */
export async function vaultRemove(name: string, options: PassphraseOptions & Json): Promise<number> {
  checkedName(name)
  const paths = pathsNow()
  using access = await openForCommand(paths, options)
  await access.remove(name)
  noteEvent(paths, 'vault.removed', { name })
  if (options.json === true) printJson({ schemaVersion: 1, removed: name })
  else say(`${name} is removed; copies of the file made before still hold it`)
  return exitCodes.done
}

/** `paddock vault unlock`: later commands read it without asking, until the time is up. */
export async function vaultUnlock(options: PassphraseOptions & Json & { readonly for: string }): Promise<number> {
  const paths = pathsNow()
  const time = parseDuration(options.for)
  if (time === null || time > longestUnlockMs)
    throw new PaddockError('BAD_INPUT', `--for ${options.for}: not a time that a vault can stay unlocked for.`, {
      hint: `give ${durationRule}; at most 24h`,
    })
  const restored = await restoreDeleted(paths)
  const locked = await openVault(paths.config)
  const until = Date.now() + time
  if (locked.kind === 'keyring') await startVaultAgent(null, until)
  else {
    using passphrase = await presentPassphrase(options)
    await startVaultAgent(passphrase, until)
  }
  noteEvent(paths, 'vault.unlocked', { until: new Date(until).toISOString(), restored })
  if (options.json === true) printJson({ schemaVersion: 1, file: locked.file, until: new Date(until).toISOString(), restored })
  else {
    if (restored) say(`${locked.file} had been deleted, and was written anew from memory`)
    say(`the vault is unlocked for ${formatDuration(time)}; earlier: paddock vault lock`)
  }
  return exitCodes.done
}

/** A file that was deleted while it was unlocked comes back out of the memory of the process that has it. */
async function restoreDeleted(paths: Paths): Promise<boolean> {
  using agent = await connectAgent(paths.state)
  if (agent === null || (await agent.status()).file !== vaultPath(paths.config)) return false
  return await agent.restore()
}

/** `paddock vault lock`. */
export async function vaultLock(options: Json): Promise<number> {
  const paths = pathsNow()
  using agent = await connectAgent(paths.state)
  await agent?.lock()
  const was = agent !== null
  if (was) noteEvent(paths, 'vault.locked', {})
  if (options.json === true)
    printJson({ schemaVersion: 1, locked: true, was: was ? 'unlocked' : 'locked', directory: agentDirectory(paths.state) })
  else say(was ? 'the vault is locked' : 'the vault was not unlocked')
  return exitCodes.done
}

export interface RekeyOptions extends PassphraseOptions, Json {
  readonly newPassphraseFd?: string
  readonly keyring?: boolean
  readonly passphrase?: boolean
}

/** `paddock vault rekey`: another passphrase, or a key in the keyring in place of one, or the other way round. */
export async function vaultRekey(options: RekeyOptions): Promise<number> {
  const paths = pathsNow()
  if (options.keyring === true && options.passphrase === true)
    throw new PaddockError('BAD_INPUT', '--keyring and --passphrase: a vault has one of them.', { hint: 'give one' })
  using vault = await openHere(paths, options, 'rekey')
  const toKeyring = options.keyring === true || (options.passphrase !== true && vault.kind === 'keyring')
  if (toKeyring) {
    const { key, settle } = await newKeyInKeyring(vaultMeans(paths, process.env).keyring(vault.file))
    await vault.rekey(key)
    await settle()
  } else await vault.rekey(new PassphraseKey(await newPassphrase('--new-passphrase-fd', options.newPassphraseFd, 'the vault')))
  // What it holds opens nothing any more.
  using agent = await connectAgent(paths.state)
  await agent?.lock()
  const locked = agent === null ? '' : '; it is locked now'
  const kind = toKeyring ? 'keyring' : 'passphrase'
  noteEvent(paths, 'vault.rekeyed', { kind })
  if (options.json === true) printJson({ schemaVersion: 1, file: vault.file, kind })
  else
    say(
      `${vault.file} has a new ${toKeyring ? 'key, which the keyring holds' : 'passphrase'}; copies made before open as they did${locked}`,
    )
  return exitCodes.done
}

/** The vault in this very process, by its own key: what changes keys does not rely on what somebody unlocked earlier. */
export async function openHere(paths: Paths, options: PassphraseOptions, command: string): Promise<Vault> {
  const locked = await openVault(paths.config)
  if (locked.kind === 'keyring') return locked.unlock(await keyFromKeyring(vaultMeans(paths, process.env).keyring(locked.file)))
  return locked.unlock(new PassphraseKey(await passphraseAgain(options, command)))
}

/** Values are for eyes: not for a pipe, a file or a program. */
export function refuseUnlessSeen(options: Json): void {
  if (options.json === true)
    throw new PaddockError('BAD_INPUT', '--reveal and --json: a value is shown to people only.', {
      hint: 'paddock vault export gives the values to another age key',
    })
  if (process.stdout.isTTY !== true)
    throw new PaddockError('NOT_ALLOWED', '--reveal: standard output is not a terminal, so no value is shown.', {
      hint: 'programs get a secret by vault:NAME; paddock vault export gives the values to another age key',
    })
}

function shownValue(secret: Secret): string {
  const text = secret.text()
  if (text.split('\n').every((each) => printable(each) === each)) return `${text}\n`
  throw new PaddockError('BAD_INPUT', `${secret.name} holds bytes that a terminal would obey, so it is not shown.`, {
    hint: 'paddock vault export --to FILE',
  })
}

function line(entry: VaultEntry): string {
  return `${entry.name}  ${entry.hosts.join(', ')}  · ${entry.place === undefined ? '' : `${placeText(entry.place)} · `}${formatSize(entry.bytes)} · ${entry.updatedAt.slice(0, 10)}`
}

function placeText(place: SecretPlace): string {
  if (place.in === 'header') return `header:${place.name}${place.scheme === undefined ? '' : `=${place.scheme}`}`
  return place.in === 'query' ? `query:${place.name}` : `basic:${place.user}`
}

/** `header:x-api-key`, `header:authorization=Bearer`, `query:key`, `basic:user`. */
function placeOf(text: string): SecretPlace {
  const [, kind, rest = ''] = /^(header|query|basic):?(.*)$/s.exec(text) ?? []
  const [name = '', scheme] = rest.split('=')
  if (kind === 'header') return { in: 'header', name, ...(scheme === undefined ? {} : { scheme }) }
  if (kind === 'query') return { in: 'query', name: rest }
  if (kind === 'basic') return { in: 'basic', user: rest }
  throw new PaddockError('BAD_INPUT', `--place ${text}: not a place in a request.`, {
    hint: 'header:x-api-key, header:authorization=Bearer, query:key or basic:user',
  })
}
