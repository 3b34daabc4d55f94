import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { keyIdOf, signStatement } from '../../attest/dsse.ts'
import { makeStatement } from '../../attest/make-statement.ts'
import { existingKey, signingKey } from '../../attest/signing-key.ts'
import type { Statement } from '../../attest/statement-schema.ts'
import { verifyStatement } from '../../attest/verify-statement.ts'
import { exitCodes, messageOf, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { writeAtomic } from '../../files/atomic.ts'
import { auditDirectory } from '../audit/audit-command.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { version } from '../version.ts'

const stateDirectory = (): string => resolvePaths(process.env).state

/** `paddock attest make`: prints a signed statement, or writes it to a file. */
export async function attestMake(work: string, { output }: { readonly output?: string }): Promise<Answer<Result<'attest make'>>> {
  const statement = await makeStatement({ of: work, auditDirectory: auditDirectory(), version })
  const { privateKey, publicKey } = signingKey(stateDirectory())
  const envelope = signStatement(statement, privateKey, publicKey)
  const file = output === undefined ? null : path.resolve(output)
  const text = JSON.stringify(envelope)
  if (file !== null) await writeAtomic(file, `${text}\n`)
  return {
    data: { schemaVersion: 1, file, keyid: keyIdOf(publicKey), envelope, statement },
    lines: file === null ? [text] : [`wrote ${file}`, ...about(statement)],
  }
}

/** `paddock attest verify`: exits 1 if a statement is not valid. */
export async function attestVerify(
  file: string,
  { key, subject }: { readonly key?: string; readonly subject?: string },
): Promise<Answer<Result<'attest verify'>>> {
  if (subject !== undefined && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(subject))
    throw new PaddockError('BAD_INPUT', `--subject ${subject} is not a commit or a SHA-256.`, {
      hint: 'Give 40 or 64 hexadecimal digits, for example the result of: git rev-parse HEAD',
    })
  const publicKey = key === undefined ? ownKey() : publicKeyIn(key, await read(key))
  const { valid, why, statement } = verifyStatement(await read(file), publicKey, subject ?? null)
  const keyid = keyIdOf(publicKey)
  return {
    data: { schemaVersion: 1, valid, why, keyid, statement },
    lines: valid && statement !== null ? [`valid: signed with the key ${keyid}`, ...about(statement)] : [`not valid: ${why}`],
    exitCode: valid ? exitCodes.done : exitCodes.no,
  }
}

/** `paddock attest key`: prints the public key. */
export function attestKey(): Answer<Result<'attest key'>> {
  const { publicKey } = signingKey(stateDirectory())
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return { data: { schemaVersion: 1, keyid: keyIdOf(publicKey), publicKey: pem }, lines: pem.trimEnd().split('\n') }
}

function about({ subject, predicate }: Statement): readonly string[] {
  const { kind, id, cells, auditLog } = predicate
  const hosts = [...new Set(cells.flatMap((each) => each.hostsReached))].sort()
  const agents = [
    ...new Set(cells.flatMap(({ agent, model }) => (agent === null ? [] : [`${agent.name}${model === null ? '' : ` (${model})`}`]))),
  ]
  const subjects = subject.slice(0, 10).map(
    ({ name, digest }) =>
      `  ${Object.entries(digest)
        .map((each) => each.join(':'))
        .join(' ')} ${name}`,
  )
  return [
    `${kind} ${id}${agents.length === 0 ? '' : ` by ${agents.join(', ')}`}`,
    ...subjects,
    ...(subject.length > subjects.length ? [`  and ${subject.length - subjects.length} more`] : []),
    `hosts reached: ${hosts.length === 0 ? 'none' : hosts.join(', ')}${cells.every((each) => each.hostsComplete) ? '' : ' (incomplete)'}`,
    `audit log: line ${auditLog.seq}, ${auditLog.sha256}`,
  ]
}

function ownKey(): KeyObject {
  const key = existingKey(stateDirectory())
  if (key !== null) return key.publicKey
  throw new PaddockError('BAD_INPUT', 'You have no key for statements, so --key is needed.', {
    hint: 'Give the public key of the signer: --key FILE',
  })
}

function publicKeyIn(file: string, text: string): KeyObject {
  try {
    const key = createPublicKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below: the messages of OpenSSL do not name the file.
  }
  throw new PaddockError('BAD_INPUT', `--key ${file} is not an Ed25519 public key.`, {
    hint: 'The signer prints it with: paddock attest key',
  })
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new PaddockError('NOT_FOUND', `${file} cannot be read: ${messageOf(error)}.`)
  }
}
