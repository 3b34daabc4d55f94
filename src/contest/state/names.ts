const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The names of a path as one string with `/` between them; null where one of them is not UTF-8. */
export function nameOf(names: readonly Buffer[]): string | null {
  try {
    return names.map((each) => strict.decode(each)).join('/')
  } catch {
    return null
  }
}

/** A file name for people and logs: control and invisible characters as \u escapes, bytes that are not UTF-8 as \xNN; at most 300 characters. */
export function escapeName(name: string | Buffer): string {
  const bytes = typeof name === 'string' ? null : name
  let text: string
  try {
    text = bytes === null ? (name as string) : strict.decode(bytes)
  } catch {
    text = Array.from(bytes as Buffer, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('')
  }
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`)
  return shown.length > 300 ? `${shown.slice(0, 299)}…` : shown
}
