import path from 'node:path'
import { readRegular } from '../files/read-regular.ts'
import { proofName } from './goal.ts'

/** The text that an agent wrote about itself. It is untrusted, and must only be shown through `printable`. */
export interface Proof {
  /** Every string in the text, with escapes resolved, because it may contain a secret text. */
  readonly strings: readonly string[]
  /** The attempts that the agent claims, as at most 50 lines of at most 300 characters. */
  readonly tried: readonly string[]
}

const maxBytes = 4 * 1024 ** 2
const maxStrings = 100_000
const maxLines = 50
const maxCharacters = 300

export async function readProof(project: string): Promise<Proof> {
  const read = await readRegular(path.join(project, proofName), maxBytes)
  return parseProof(read.ok ? read.bytes.toString('utf8') : '')
}

/** Parses a proof. Anything that is not JSON gives an empty proof. Never throws. */
export function parseProof(text: string): Proof {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { strings: [], tried: [] }
  }
  const said = typeof value === 'object' && value !== null && Object.hasOwn(value, 'tried') ? (value as { tried: unknown }).tried : []
  return { strings: stringsIn(value), tried: lines(stringsIn(said)) }
}

/** Returns the first lines of texts, bounded in number and length. */
export function lines(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((each) => each.split('\n', maxLines + 1))
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .slice(0, maxLines)
    .map((each) => (each.length > maxCharacters ? `${each.slice(0, maxCharacters)}…` : each))
}

/** Returns the strings and keys of any JSON value, without recursion, because the agent controls its depth. */
function stringsIn(value: unknown): string[] {
  const found: string[] = []
  const open: unknown[] = [value]
  for (let each = open.pop(); (each !== undefined || open.length > 0) && found.length < maxStrings; each = open.pop()) {
    if (typeof each === 'string') found.push(each)
    else if (Array.isArray(each)) for (let at = each.length - 1; at >= 0; at--) open.push(each[at])
    else if (typeof each === 'object' && each !== null) for (const [key, inner] of Object.entries(each).reverse()) open.push(inner, key)
  }
  return found
}
