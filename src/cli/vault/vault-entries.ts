import { PaddockError } from '../../base/errors.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { formatSize } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import { connectAgent } from '../../credentials/vault/agent-client.ts'
import type { VaultEntry } from '../../credentials/vault/entries.ts'
import { checkedName } from '../../credentials/vault/secret-name.ts'
import { maxSecretBytes } from '../../credentials/vault/vault-schema.ts'
import type { Secret } from '../../secrets/secret.ts'
import { noteEvent } from '../audit/note-event.ts'
import type { Result } from '../results.ts'
import { askSecret, canAsk, valueFromInput } from '../terminal/ask-secret.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { refuseUnlessSeen } from './reveal.ts'
import { placeOf, placeText } from './secret-place.ts'
import { openForCommand, type PassphraseOptions } from './vault-open.ts'

const pathsNow = (): Paths => resolvePaths(process.env)

export interface SetOptions extends PassphraseOptions {
  readonly host: readonly string[]
  readonly place?: string
}

interface ShowOptions extends PassphraseOptions {
  readonly reveal?: boolean
  readonly json?: boolean
}

/** `paddock vault set`: reads the value from a prompt or from standard input, never from the command line. */
export async function vaultSet(name: string, options: SetOptions): Promise<Answer<Result<'vault set'>>> {
  checkedName(name)
  const paths = pathsNow()
  const place = options.place === undefined ? undefined : placeOf(options.place)
  using access = await openForCommand(paths, options, true)
  // Errors are reported before the value is asked for.
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
  return { data: { schemaVersion: 1, entry }, notes: [`${name} is stored, for ${entry.hosts.join(', ')}`] }
}

/** `paddock vault list`: lists names, hosts and sizes. */
export async function vaultList(options: PassphraseOptions): Promise<Answer<Result<'vault list'>>> {
  const paths = pathsNow()
  using access = await openForCommand(paths, options)
  const entries = await access.list()
  using agent = await connectAgent(paths.state)
  const until = agent === null ? null : new Date((await agent.status()).until).toISOString()
  return {
    data: { schemaVersion: 1, entries, until },
    lines: entries.map(line),
    notes: entries.length === 0 ? ['the vault is empty'] : [],
  }
}

/** `paddock vault show`: shows the properties of one secret. The value is shown only to a person at a terminal. */
export async function vaultShow(name: string, options: ShowOptions): Promise<Answer<Result<'vault show'>>> {
  checkedName(name)
  if (options.reveal === true) refuseUnlessSeen(options)
  const paths = pathsNow()
  using access = await openForCommand(paths, options)
  const entry = await access.entry(name)
  const data = { schemaVersion: 1, entry } as const
  if (options.reveal === true) {
    using secret = (await access.get(name)).secret
    const lines = shownLines(secret)
    noteEvent(paths, 'vault.revealed', { name })
    return { data, lines }
  }
  return {
    data,
    lines: [
      name,
      `  hosts    ${entry.hosts.join(', ')}`,
      `  place    ${entry.place === undefined ? 'where the agent puts it' : placeText(entry.place)}`,
      `  size     ${entry.bytes} bytes`,
      `  created  ${entry.createdAt}`,
      `  updated  ${entry.updatedAt}`,
    ],
  }
}

/** Runs `paddock vault rm`. */
export async function vaultRemove(name: string, options: PassphraseOptions): Promise<Answer<Result<'vault rm'>>> {
  checkedName(name)
  const paths = pathsNow()
  using access = await openForCommand(paths, options)
  await access.remove(name)
  noteEvent(paths, 'vault.removed', { name })
  return { data: { schemaVersion: 1, removed: name }, notes: [`${name} is removed; older copies of the file still contain it`] }
}

function shownLines(secret: Secret): readonly string[] {
  const lines = secret.text().split('\n')
  if (lines.every((each) => printable(each) === each)) return lines
  throw new PaddockError('BAD_INPUT', `${secret.name} contains control characters, so it is not shown on a terminal.`, {
    hint: 'Run: paddock vault export --to FILE',
  })
}

function line(entry: VaultEntry): string {
  return `${entry.name}  ${entry.hosts.join(', ')}  · ${entry.place === undefined ? '' : `${placeText(entry.place)} · `}${formatSize(entry.bytes)} · ${entry.updatedAt.slice(0, 10)}`
}
