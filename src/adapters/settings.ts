/** The settings of a CLI, in the structure of its settings file. */
export type Settings = Readonly<Record<string, unknown>>

/** Returns both settings, where `own` takes precedence. Maps are merged at every depth, and everything else is replaced. */
export function mergeSettings(given: Settings, own: Settings): Settings {
  const merged: Record<string, unknown> = { ...given }
  for (const [key, value] of Object.entries(own)) {
    const before = Object.hasOwn(given, key) ? given[key] : undefined
    merged[key] = isMap(before) && isMap(value) ? mergeSettings(before, value) : value
  }
  return merged
}

/** Returns settings in TOML (v1.0), with one line for each key at the top. Null has no form in TOML, and such keys are left out. */
export function tomlOf(settings: Settings): string {
  return entriesOf(settings)
    .map(([key, value]) => `${tomlText(key)} = ${tomlValue(value)}\n`)
    .join('')
}

/** Returns a value in TOML, as one line. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value))
    return `[${value
      .filter((each) => each != null)
      .map(tomlValue)
      .join(', ')}]`
  if (isMap(value))
    return `{${entriesOf(value)
      .map(([key, each]) => `${tomlText(key)}=${tomlValue(each)}`)
      .join(', ')}}`
  return typeof value === 'string' ? tomlText(value) : String(value)
}

/** A basic string of TOML is one of JSON, except that it must escape DEL too. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

function entriesOf(map: Settings): readonly [string, unknown][] {
  return Object.entries(map).filter(([, value]) => value != null)
}

function isMap(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
