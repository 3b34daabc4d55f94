import type { BackendName } from '../base/cell-place.ts'
import { defaultPosture, isHigher, type Posture } from '../base/posture.ts'
import { defaultTrifectaRule, isStricter, type TrifectaRule } from '../base/trifecta-rating.ts'
import { type BasePlace, defaultPlace } from './base-place.ts'
import type { KeyPath } from './key-path.ts'
import { keyText } from './key-path.ts'
import type { ConfigFile } from './read-config.ts'

/** One value of the configuration and its origin. Each item of a list is a separate value. */
export interface Setting {
  /** The key, for example `run.egress.policy`, `run.egress.allow` or `agents.claude.model`. */
  readonly key: string
  readonly value: string | number | boolean
  /** The origin: `default`, or FILE:LINE. */
  readonly origin: string
}

/** Keys whose values are combined over all files. For all other keys, the last value wins. */
const lists: ReadonlySet<string> = new Set(
  [
    ...['allow', 'ask', 'inspect', 'rules', 'ruleSets', 'block', 'presets'].map((each) => `egress.${each}`),
    ...['repos', 'ro', 'rw', 'mask', 'env', 'secrets'],
  ]
    .map((each) => `run.${each}`)
    .concat('worktree.copy'),
)
/** The policies under which a key has an effect. Absent keys have an effect under all of them. */
const meantUnder: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['allow', 'ask', 'presets'].map((each) => [`run.egress.${each}`, ['allowlist']] as const),
  ...['egress.inspect', 'egress.rules', 'egress.ruleSets', 'repos'].map(
    (each) => [`run.${each}`, ['allowlist', 'public', 'open']] as const,
  ),
  ['run.egress.block', ['public']],
])

const builtIn: readonly Setting[] = [
  { key: 'run.egress.policy', value: 'allowlist', origin: 'default' },
  { key: 'run.login', value: true, origin: 'default' },
  { key: 'run.copy', value: false, origin: 'default' },
  { key: 'run.copyIgnored', value: false, origin: 'default' },
  { key: 'run.deps', value: 'own', origin: 'default' },
  { key: 'run.posture', value: defaultPosture, origin: 'default' },
  { key: 'run.trifecta', value: defaultTrifectaRule, origin: 'default' },
  { key: 'run.webTools', value: true, origin: 'default' },
  { key: 'run.backend', value: 'auto', origin: 'default' },
]

/** Keys that the file of a project can only tighten or hold. Each returns true if the first value is looser than the second. */
const tightened: Readonly<Record<string, (own: Setting['value'], before: Setting['value']) => boolean>> = {
  'run.posture': (own, before) => isHigher(before as Posture, own as Posture),
  'run.trifecta': (own, before) => isStricter(before as TrifectaRule, own as TrifectaRule),
  'run.webTools': (own, before) => own !== false && before === false,
}

/**
 * Returns the combined settings: built-in values, then each file over those before it. Lists are combined, except for the arguments of
 * an agent, which are one value. The file of a project can tighten some settings, such as the isolation level, or hold them, and not loosen them.
 */
export function layered(files: readonly ConfigFile[]): readonly Setting[] {
  let settings: readonly Setting[] = builtIn
  for (const each of files) {
    const before = settings
    const own = settingsOf(each).filter(({ key, value }) => {
      const isLooser = each.which === 'user' || !Object.hasOwn(tightened, key) ? undefined : tightened[key]
      return isLooser?.(value, before.find((one) => one.key === key)?.value ?? '') !== true
    })
    const replaced = new Set(own.map((one) => one.key).filter((key) => !lists.has(key)))
    // A setup is one value, because its command belongs to its directories.
    const hasSetup = each.config.setup !== undefined
    settings = [...settings.filter((one) => !replaced.has(one.key) && !(hasSetup && one.key.startsWith('setup.'))), ...own]
  }
  return [...settings].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

/** Returns where cells run by these files, for which nothing else names a place. */
export function basePlace(files: readonly ConfigFile[]): BasePlace {
  const settings = layered(files).filter(({ origin }) => origin !== 'default')
  const found = (key: string): Setting | undefined => settings.find((each) => each.key === key)
  const [posture, backend] = [found('run.posture'), found('run.backend')]
  const at = (setting: Setting | undefined): string | null =>
    setting === undefined ? null : `${setting.origin}: ${setting.key} ${setting.value}`
  return {
    posture: (posture?.value as Posture | undefined) ?? defaultPlace.posture,
    backend: (backend?.value as BackendName | undefined) ?? defaultPlace.backend,
    origins: { posture: at(posture), backend: at(backend) },
  }
}

/** Returns the settings that have an effect under this policy. */
export function effective(settings: readonly Setting[], egress: string): readonly Setting[] {
  return settings.filter((each) => meantUnder.get(each.key)?.includes(egress) ?? true)
}

/** Returns all values of one file, in the order of the file. */
export function settingsOf(file: ConfigFile): readonly Setting[] {
  const found: Setting[] = []
  const look = (value: unknown, path: KeyPath, key: string): void => {
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) look(each, [...path, index], key)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) look(each, [...path, name], keyText([...path, name]))
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      found.push({ key, value, origin: `${file.file}:${file.lineOf(path)}` })
  }
  const { run, agents, worktree, setup } = file.config
  for (const [key, value] of Object.entries({ run, agents, worktree, setup })) if (value !== undefined) look({ [key]: value }, [], '')
  return found
}
