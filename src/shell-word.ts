/** Returns a word as a shell reads it back: in single quotes if it has any character that a shell could take for something else. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
