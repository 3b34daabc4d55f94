import { lazily } from './lazily.ts'

/**
 * What a reader does not see, or sees elsewhere than it stands: control characters (ECMA-48), format characters and those that
 * Unicode lets a program leave out (UAX 44, Default_Ignorable_Code_Point), breaks of lines, lone surrogates, blanks that are letters
 * or symbols (Hangul fillers, the empty Braille pattern), and combining marks with nothing to combine with.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u115f\u1160\u2800\u3164\uffa0]|(?<![\p{L}\p{M}\p{N}\p{So}])\p{M}+/gu
const longestName = 300
const utf8 = lazily(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }))

/** The text with each of them replaced. */
export function replaceUnseen(text: string, by: (character: string) => string): string {
  // The tables of Unicode behind the pattern are large, and most text needs none of them.
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return text.replace(unseen, (found) => [...found].map(by).join(''))
}

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

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
