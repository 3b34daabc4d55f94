/** Returns a word as a shell reads it back, in single quotes if it contains any character that a shell could interpret. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
