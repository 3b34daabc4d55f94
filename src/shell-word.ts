/** Returns a word in the form in which a shell reads it back: in single quotes if it has any character that a shell could interpret. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
