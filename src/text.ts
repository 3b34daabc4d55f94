import { lazily } from './lazily.ts'
import { escaped, replaceUnseen } from './unseen.ts'

const longestName = 300
const utf8 = lazily(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }))

/**
 * Returns foreign text as one line that a terminal or a log may show: what could move the cursor, set the title, answer back, turn the
 * direction of writing, or hide one name behind another becomes a visible escape such as `\u{1b}`; a tab becomes a blank.
 */
export function printable(text: string): string {
  return replaceUnseen(text, (each) => (each === '\t' ? ' ' : escaped(each)))
}

/** Returns a file name as `printable` does, but tells a tab from a blank; bytes that are not UTF-8 are `\xNN`; at most 300 characters. */
export function printableName(name: string | Buffer): string {
  const shown = replaceUnseen(typeof name === 'string' ? name : decoded(name), escaped)
  return shown.length > longestName ? `${shown.slice(0, longestName - 1)}…` : shown
}

/** Returns what names that look the same to a reader, or are the same if case and width do not count, have in common. */
export function skeleton(name: string): string {
  return replaceUnseen(name.normalize('NFKC'), () => '').toLowerCase()
}

/** Returns text that is UTF-8; null for anything else. */
export function utf8Text(bytes: Buffer): string | null {
  try {
    return utf8().decode(bytes)
  } catch {
    return null
  }
}

function decoded(bytes: Buffer): string {
  const plain = (byte: number): string =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
  return utf8Text(bytes) ?? Array.from(bytes, plain).join('')
}
