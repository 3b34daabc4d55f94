import { PaddockError } from '../../../base/errors.ts'
import type { Config } from '../../../config/config-schema.ts'
import { knownNames } from '../../../config/known-names.ts'
import { parseConfig } from '../../../config/read-config.ts'
import { asLine, insertYaml } from '../../../config/yaml-insert.ts'

/** The choices of the user. */
export interface Choices {
  readonly agents: readonly string[]
  readonly presets: readonly string[]
  /** Entries that pin registries to internal addresses. */
  readonly pins: readonly string[]
  readonly memory: string | null
}

/** A key with a new value, or a list with new items. */
export interface Addition {
  readonly path: readonly string[]
  readonly value: string | readonly string[] | Readonly<Record<string, never>>
}

const heading = `# Paddock's settings for all of your projects.
# All keys: docs/reference/configuration.md, or paddock config schema. What applies in a directory: paddock config show --origin
schemaVersion: 1
`

/** Returns the choices that a configuration does not have yet. Values that it has are kept. */
export function additionsTo(config: Config | null, { agents, presets, pins, memory }: Choices): readonly Addition[] {
  const { run = {} } = config ?? {}
  const missing = (wanted: readonly string[], known: readonly unknown[] = []): readonly string[] =>
    wanted.filter((each) => !known.includes(each))
  const lists: Addition[] = [
    { path: ['run', 'egress', 'presets'], value: missing(presets, run.egress?.presets) },
    { path: ['run', 'egress', 'allow'], value: missing(pins, run.egress?.allow) },
  ]
  return [
    ...lists.filter(({ value }) => Array.isArray(value) && value.length > 0),
    ...(memory === null || run.limits?.memory !== undefined ? [] : [{ path: ['run', 'limits', 'memory'], value: memory }]),
    ...missing(agents, Object.keys(config?.agents ?? {})).map((each) => ({ path: ['agents', each], value: {} })),
  ]
}

/**
 * Returns the text of the configuration with the additions. Everything else in it stays as it is, byte by byte. `before`: null for a new file.
 * @throws PaddockError BAD_INPUT if an addition has no simple place in the text
 */
export function withAdditions(before: string | null, additions: readonly Addition[], file: string): string {
  const text = additions.reduce((changed, { path, value }) => {
    const next = insertYaml(changed, path, value)
    if (next !== null) return next
    throw new PaddockError('BAD_INPUT', `${file} has no simple place for ${path.join('.')}, so nothing was changed.`, {
      hint: `Add it by hand: ${asLine(path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)).slice(2, -2)}`,
    })
  }, before ?? heading)
  parseConfig(Buffer.from(text), file, 'user', knownNames)
  return text
}

/** Returns an addition as one line. */
export function additionText({ path, value }: Addition): string {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : 'its own settings'
  return `${path.join('.')} = ${text}`
}
