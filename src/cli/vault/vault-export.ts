import { open } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { type AgeKey, PassphraseKey, recipientKey } from '../../credentials/vault/age-key.ts'
import { noteEvent } from '../audit/note-event.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { refuseUnlessSeen } from './reveal.ts'
import { openHere } from './vault-key.ts'
import { newPassphrase, type PassphraseOptions } from './vault-open.ts'

export interface ExportOptions extends PassphraseOptions {
  readonly to: string
  readonly recipient?: string
  readonly newPassphraseFd?: string
  readonly plain?: boolean
  readonly reveal?: boolean
  readonly json?: boolean
}

/** `paddock vault export`: writes all entries to a file, encrypted for another age key or unencrypted. */
export async function vaultExport(options: ExportOptions): Promise<Answer<Result<'vault export'>>> {
  if (options.plain === true) {
    if (options.reveal !== true)
      throw new PaddockError('BAD_INPUT', '--plain writes every value unencrypted, so it requires --reveal; nothing was written.', {
        hint: 'To encrypt it for another age key: paddock vault export --to FILE --recipient age1…',
      })
    refuseUnlessSeen(options)
  }
  const paths = resolvePaths(process.env)
  using vault = await openHere(paths, options, 'export')
  const file = path.resolve(options.to)
  const count = vault.list().length
  if (options.plain === true) {
    const plain = vault.plain()
    try {
      await writeNew(file, plain)
    } finally {
      plain.fill(0)
    }
  } else {
    using key = await keyOf(options)
    await writeNew(file, await vault.export(key))
  }
  const lockedBy = options.plain === true ? 'nothing' : options.recipient === undefined ? 'passphrase' : 'recipient'
  noteEvent(paths, 'vault.exported', { to: file, entries: count, lockedBy })
  const lock = lockedBy === 'nothing' ? 'nothing: delete it soon' : `the ${lockedBy}`
  return {
    data: { schemaVersion: 1, to: file, entries: count, lockedBy },
    notes: [`${count} ${count === 1 ? 'secret is' : 'secrets are'} in ${file}, locked by ${lock}`],
  }
}

async function keyOf(options: ExportOptions): Promise<AgeKey> {
  if (options.recipient === undefined)
    return new PassphraseKey(await newPassphrase('--new-passphrase-fd', options.newPassphraseFd, 'the exported file'))
  const key = recipientKey(options.recipient)
  if (key !== null) return key
  throw new PaddockError('BAD_INPUT', `--recipient ${options.recipient.slice(0, 100)}: not the public key of an age identity.`, {
    hint: 'Give an age public key, as age-keygen prints it: age1 and 58 more characters',
  })
}

/** Writes a new file. Never overwrites an existing one. */
async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.chmod(0o600)
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw new PaddockError('BAD_INPUT', `--to ${file}: it already exists.`, { hint: 'Name a new file' })
    throw new PaddockError('FILES_FAILED', `--to ${file}: it cannot be written (${code}).`, { hint: 'Name a file in your own directory' })
  }
}
