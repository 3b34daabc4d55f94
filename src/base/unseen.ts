/**
 * Characters that a reader does not see, or sees in another place: control characters (ECMA-48), format characters and those that programs
 * may leave out according to Unicode (UAX 44, Default_Ignorable_Code_Point), line breaks, lone surrogates, spaces that are letters or
 * symbols (Hangul fillers, the empty Braille pattern), and combining marks with nothing to combine with.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u115f\u1160\u2800\u3164\uffa0]|(?<![\p{L}\p{M}\p{N}\p{So}])\p{M}+/gu

/** Returns the text with each unseen character replaced. */
export function replaceUnseen(text: string, by: (character: string) => string): string {
  // The Unicode tables behind the pattern are large, and most text does not need them.
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return text.replace(unseen, (found) => [...found].map(by).join(''))
}

/** Returns the character as a visible escape: `\u{1b}`. */
export function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
