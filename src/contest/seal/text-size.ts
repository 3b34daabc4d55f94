/** The amount of text in a submission. */
export interface TextSize {
  readonly lines: number
  readonly words: number
}

/**
 * Returns the number of lines and words in the bytes of one file; zero if they contain NUL, because the file is then not text. A word ends
 * at ASCII white space, as in wc(1). A last line without a line break counts, unlike in wc(1).
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
