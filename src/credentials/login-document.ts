import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, PaddockError } from '../base/errors.ts'
import { writeAtomic } from '../files/atomic.ts'
import { readRegular } from '../files/read-regular.ts'
import { resolveDotfile } from './dotfile.ts'
import { type LoginProgram, logInAgain } from './log-in-again.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON file of an agent's CLI that contains secrets. */
export interface Document {
  readonly value: JsonObject
  /** The path of the file itself, after links are resolved. */
  readonly file: string
  readonly warnings: readonly string[]
}

const maxBytes = 1024 ** 2

/** Reads a document; null if it does not exist or is empty. Throws BAD_INPUT, without any of the content in the message. */
export async function readDocument(file: string, program: LoginProgram): Promise<Document | null> {
  const read = await readCredentialFile(file, program)
  if (read === null) return null
  const value = parseObject(read.text)
  if (value === null) throw badDocument(file, 'is cut off, or is not the JSON that it should be', program)
  return { value, file: read.file, warnings: read.warnings }
}

/** Returns the text of a file with credentials; null if it does not exist or is empty. */
export async function readCredentialFile(
  file: string,
  program: LoginProgram,
): Promise<{ readonly text: string; readonly file: string; readonly warnings: readonly string[] } | null> {
  const real = await resolveDotfile(file)
  if (real === null) return null
  const read = await readRegular(real, maxBytes)
  if (!read.ok) {
    if (read.why === 'missing') return null
    throw badDocument(file, whyNot[read.why], program)
  }
  const text = read.bytes.toString('utf8')
  read.bytes.fill(0)
  if (text.trim() === '') return null
  const { mode } = await lstat(real)
  const loose = (mode & 0o077) !== 0
  return { text, file: real, warnings: loose ? [`${real} is open to other users of this machine: chmod 600 ${real}`] : [] }
}

const whyNot = {
  'not-a-file': 'is not a file',
  'too-large': 'is too large',
  unreadable: 'cannot be read',
} as const

/** Returns the error for a file in a form that its agent would not have written. */
export function badDocument(file: string, what: string, program: LoginProgram): PaddockError {
  return new PaddockError('BAD_INPUT', `${file} ${what}; Paddock did not change it.`, { hint: logInAgain(program) })
}

/** Parses an object, or returns null. The error of the parser is dropped, because it quotes the text. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}

/** Throws FILES_FAILED if `replaceDocument` would not be permitted. Must be called before new tokens are requested. */
export async function mayReplace(file: string): Promise<void> {
  const { uid } = await lstat(file)
  const own = process.geteuid?.() ?? uid
  if (uid !== own && own !== 0) throw notReplaceable(file, 'it belongs to another user')
  try {
    await access(path.dirname(file), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notReplaceable(file, codeOf(error) ?? 'unknown error')
  }
}

function notReplaceable(file: string, why: string): PaddockError {
  return new PaddockError('FILES_FAILED', `A renewed login could not be written back to ${file} (${why}).`, {
    hint: `Make ${path.dirname(file)} writable for yourself`,
  })
}

/**
 * Replaces the value in a document atomically, with the same mode, owner and indentation as before.
 * `file` is the resolved file, as `readDocument` returns it. `change` returns null to keep the document unchanged.
 * Returns false if the document was kept unchanged or no longer exists. Throws BAD_INPUT or FILES_FAILED, with nothing overwritten.
 */
export async function replaceDocument(
  file: string,
  program: LoginProgram,
  change: (value: JsonObject) => JsonObject | null,
): Promise<boolean> {
  const read = await readCredentialFile(file, program)
  const value = read === null ? null : parseObject(read.text)
  if (read === null || read.file !== file) return false
  if (value === null) throw badDocument(file, 'is cut off, or is not the JSON that it should be', program)
  const next = change(value)
  if (next === null) return false
  await mayReplace(file)
  const { mode, uid, gid } = await lstat(file)
  const text = `${JSON.stringify(next, null, indentOf(read.text))}${read.text.endsWith('\n') ? '\n' : ''}`
  const bytes = Buffer.from(text)
  try {
    await writeAtomic(file, bytes, { mode: mode & 0o777, owner: { uid, gid } })
  } catch (error) {
    throw notReplaceable(file, codeOf(error) ?? 'unknown error')
  } finally {
    bytes.fill(0)
  }
  return true
}

function indentOf(text: string): string {
  return /^\{\r?\n([ \t]{1,8})"/.exec(text)?.[1] ?? ''
}
