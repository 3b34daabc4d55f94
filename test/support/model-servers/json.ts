/** A parsed JSON value from an untrusted source. Missing fields are read as empty values. */
export type Json = unknown

export function field(value: Json, name: string): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>)[name] : undefined
}

export function list(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function text(value: Json): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the text of a value that is a string, or a list of parts with a `text`. */
export function texts(value: Json): string {
  if (typeof value === 'string') return value
  return list(value)
    .map((part) => text(field(part, 'text')))
    .filter((part) => part !== '')
    .join('\n')
}
