/** How much text a submission has. */
export interface TextSize {
  readonly lines: number
  readonly words: number
}

/**
 * Returns how many lines and words the bytes of one file have; none if there is a NUL in them, which no text has. A word is what white space of ASCII
 * ends, as for wc(1); a last line without a line break counts, which wc(1) does not count.
 */
export function textSize(bytes: Uint8Array): TextSize {
  let lines = 0
  let words = 0
  let isInWord = false
  for (const byte of bytes) {
    if (byte === 0) return { lines: 0, words: 0 }
    if (byte === 10) lines += 1
    const isSpace = byte === 32 || (byte >= 9 && byte <= 13)
    if (!isSpace && !isInWord) words += 1
    isInWord = !isSpace
  }
  return { lines: bytes.length > 0 && bytes.at(-1) !== 10 ? lines + 1 : lines, words }
}
