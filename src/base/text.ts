import { lazily } from './lazily.ts'
import { escaped, replaceUnseen } from './unseen.ts'

const longestName = 300
const utf8 = lazily(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }))

/**
 * Returns foreign text as one line that a terminal or a log may show. Characters that could move the cursor, set the title, trigger an
 * answer, change the direction of writing, or hide one name behind another become visible escapes such as `\u{1b}`. A tab becomes a space.
 */
export function printable(text: string): string {
  return replaceUnseen(text, (each) => (each === '\t' ? ' ' : escaped(each)))
}

/** Returns a file name like `printable`, but with escaped tabs. Bytes that are not UTF-8 become `\xNN`. At most 300 characters. */
export function printableName(name: string | Buffer): string {
  const shown = replaceUnseen(typeof name === 'string' ? name : decoded(name), escaped)
  return shown.length > longestName ? `${shown.slice(0, longestName - 1)}…` : shown
}

/** Returns the common form of names that look the same to a reader, or differ only in case and width. */
export function skeleton(name: string): string {
  return replaceUnseen(name.normalize('NFKC'), () => '').toLowerCase()
}

/** Returns bytes as text; null if they are not UTF-8. */
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

/** Returns the first items as text, and the number of those that were left out: `a, b and 3 more`. */
export function listed(items: readonly string[], most: number): string {
  return items.length <= most ? items.join(', ') : `${items.slice(0, most).join(', ')} and ${items.length - most} more`
}

/** Returns the first lines, and one with the number of those that were left out. */
export function firstLines(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`]
}
