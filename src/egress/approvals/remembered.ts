import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { takeLock } from '../../files/lock.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { storedOrNull } from '../../files/stored-json.ts'
import { type Remembered, rememberedSchema } from './approval-schema.ts'
import { type Asked, keyOf, withoutQuery } from './asked.ts'

const maxBytes = 8 * 1024 ** 2
/** Milliseconds to wait for the lock. Several runs may store answers at the same time, and each holds the lock only briefly. */
const patienceMs = 2_000

/** Returns the user's permanent answers from the configuration directory. Empty if the file is missing or unreadable. */
export function rememberedAnswers(configDirectory: string): readonly Remembered[] {
  return readAnyVersion(path.join(configDirectory, 'approvals.json')) ?? []
}

/** Returns the path of the file if its content is invalid, so that no answer applies. Null if the file is valid or missing. */
export function unreadableAnswers(configDirectory: string): string | null {
  const file = path.join(configDirectory, 'approvals.json')
  return existsSync(file) && readAnyVersion(file) === null ? file : null
}

export function rememberedAnswer(configDirectory: string, asked: Asked): boolean | null {
  const key = keyOf(asked)
  return rememberedAnswers(configDirectory).findLast((each) => keyOf(each) === key)?.allowed ?? null
}

/**
 * Stores a permanent answer. It replaces an earlier answer to the same question.
 * @throws PaddockError FILES_FAILED if the file is not a valid answers file, or too many answers are stored. Then the file is unchanged.
 */
export async function remember(configDirectory: string, { host, port, request }: Asked, allowed: boolean): Promise<void> {
  const file = path.join(configDirectory, 'approvals.json')
  await mkdir(configDirectory, { recursive: true, mode: 0o700 })
  using _lock = await takeLock({ file: `${file}.lock`, what: 'The list of remembered answers', command: 'an approval', patienceMs })
  const kept = existsSync(file) ? read(file) : []
  if (kept === null || kept.length >= 10_000)
    throw new PaddockError('FILES_FAILED', `${file} cannot be added to.`, { hint: 'Look at it, or delete it' })
  const key = keyOf({ host, port, request })
  const latest = { host, port, request: withoutQuery(request), allowed, at: new Date().toISOString() }
  const answers = [...kept.filter((each) => keyOf(each) !== key), latest]
  await writeJson(file, { schemaVersion: 1, answers }, { mode: 0o600 })
}

/** Returns the id of a remembered answer: the hash of the question. */
export function rememberedId(asked: Asked): string {
  return hash('sha256', keyOf(asked), 'hex').slice(0, 16)
}

/**
 * Removes a remembered answer, so that the question is asked again.
 * @throws PaddockError NOT_FOUND if there is no answer with this id, or the file cannot be read
 */
export async function forgetAnswer(configDirectory: string, id: string): Promise<void> {
  const file = path.join(configDirectory, 'approvals.json')
  const none = new PaddockError('NOT_FOUND', `There is no remembered answer ${id}.`, { hint: 'Run: paddock approvals --json' })
  if (!existsSync(file)) throw none
  using _lock = await takeLock({ file: `${file}.lock`, what: 'The list of remembered answers', command: 'an approval', patienceMs })
  const kept = read(file) ?? []
  const answers = kept.filter((each) => rememberedId(each) !== id)
  if (answers.length === kept.length) throw none
  await writeJson(file, { schemaVersion: 1, answers }, { mode: 0o600 })
}

/** A file of a newer version has no answers for this one, which then asks again. Only changes are refused. */
function readAnyVersion(file: string): readonly Remembered[] | null {
  try {
    return read(file)
  } catch {
    return null
  }
}

function read(file: string): readonly Remembered[] | null {
  return storedOrNull(file, readRegularSync(file, maxBytes), rememberedSchema)?.answers ?? null
}
