import { listed, printableName } from '../../base/text.ts'
import { duplicateKey } from './duplicate-keys.ts'

/** An error for an answer that differs from the requested form. The message is one sentence without a full stop. */
export class Wrong extends Error {}

const maxTextLength = 50_000

/** Parses JSON in which no object has a duplicate key. Throws Wrong. */
export function parseJson(bytes: Uint8Array, file: string): unknown {
  let json: string
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Wrong(`${file} is not UTF-8`)
  }
  if (json.trim() === '') throw new Wrong(`${file} is empty`)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    if (/\b(NaN|Infinity)\b/.test(json)) throw new Wrong(`${file} is not JSON: JSON has no NaN or Infinity`)
    throw new Wrong(`${file} is not JSON (${oneLine((error as Error).message)})`)
  }
  const twice = duplicateKey(json)
  if (twice !== null) throw new Wrong(`${file} has the key ${quote(twice)} twice in one object`)
  return value
}

export function object(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Wrong(`${place} must be an object, not ${kind(value)}`)
}

export function exactKeys(value: Record<string, unknown>, needed: readonly string[], allowed: readonly string[], place: string): void {
  const missing = needed.filter((each) => !Object.hasOwn(value, each))
  if (missing.length > 0) throw new Wrong(`${place} is missing ${listed(missing, 5)}`)
  const known = new Set([...needed, ...allowed])
  const unknown = Object.keys(value).filter((each) => !known.has(each))
  if (unknown.length > 0) throw new Wrong(`${place} has ${listed(unknown.map(quote), 5)}, which is not expected`)
}

export function text(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Wrong(`${place} must be text, not ${kind(value)}`)
  if (value.length > maxTextLength) throw new Wrong(`${place} is longer than ${maxTextLength} characters`)
  return value
}

/** Returns the kind of a value, as text for people. */
export function kind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return { string: 'text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof value as string] ?? 'nothing'
}

export function quote(name: string): string {
  return JSON.stringify(printableName(name.slice(0, 60)))
}

function oneLine(message: string): string {
  return printableName(message).slice(0, 160)
}
