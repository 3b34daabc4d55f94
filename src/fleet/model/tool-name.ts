/** Returns a name that all providers accept: letters, digits, `_` and `-`, 1 to 64 characters. */
export function toolName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || '_'
}
