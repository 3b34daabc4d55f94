import { defaultPosture, isHigher, type Posture } from '../../base/posture.ts'
import type { BasePosture } from '../../config/base-posture.ts'
import type { KeyPath } from '../../config/key-path.ts'
import { keyText } from '../../config/key-path.ts'
import type { Ask } from '../../run/run-asks.ts'
import type { ContestConfig } from './contest-schema.ts'
import type { SenseProblem } from './sense.ts'
import { roleKey } from './variants.ts'

type Levels = Pick<ContestConfig, 'participants' | 'judges' | 'checks' | 'posture'>

/** The level of cells if contest.yaml, an option and the configuration name none. */
export const defaultBase: BasePosture = { level: defaultPosture, origin: null }

/** Returns the isolation level of a participant, judge or check. */
export function levelOf(
  { posture }: Pick<ContestConfig, 'posture'>,
  own: { readonly posture?: Posture | undefined },
  { level }: BasePosture = defaultBase,
): Posture {
  return own.posture ?? posture ?? level
}

/** Returns a text such as `alpha and beta at L1, gamma at L2`; null if all are at one level. A missing level is not known. */
export function unequalLevels(all: readonly { readonly name: string; readonly posture?: Posture | undefined }[]): string | null {
  const groups = Map.groupBy(
    all.filter(({ posture }) => posture !== undefined),
    ({ posture = defaultPosture }) => posture,
  )
  const texts = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([level, who]) => `${listed(who.map(({ name }) => name))} at ${level}`)
  return texts.length < 2 ? null : texts.join(', ')
}

function listed(names: readonly string[]): string {
  if (names.length > 3) return `${names.length} participants`
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((each) => each !== '').join(' and ')
}

/** Returns the lower levels that a contest.yaml names for all or for checks. Participants and judges have their own (`asksOf`). */
export function postureAsks({ posture, checks }: Pick<Levels, 'posture' | 'checks'>): readonly Ask[] {
  const named = [{ key: 'posture', posture }, ...checks.map((each, index) => ({ key: `checks[${index}].posture`, posture: each.posture }))]
  return named.flatMap(({ key, posture: value }) => (value === undefined || !isHigher(defaultPosture, value) ? [] : [{ key, value }]))
}

/**
 * Returns the levels of a contest.yaml that cannot be used: those that the backend does not build, and those that are lower than what the user
 * set with an option or in the configuration. `isWanted`: whether its cell would start.
 */
export function postureProblems(
  config: Levels,
  isWanted: (group: 'participants' | 'judges' | 'checks', name: string) => boolean,
  {
    base = defaultBase,
    built,
  }: { readonly base?: BasePosture; readonly built: { readonly name: string; readonly postures: readonly Posture[] } | undefined },
): readonly SenseProblem[] {
  const groups = ['participants', 'judges', 'checks'] as const
  const named = groups.flatMap((group) =>
    config[group].flatMap((each, index): { path: KeyPath; level: Posture }[] => {
      if (!isWanted(group, each.name)) return []
      if (each.posture === undefined) return config.posture === undefined ? [] : [{ path: ['posture'], level: config.posture }]
      return [{ path: group === 'checks' ? [group, index, 'posture'] : roleKey(config, group, index, 'posture'), level: each.posture }]
    }),
  )
  const once = [...new Map(named.map((each) => [keyText(each.path), each])).values()]
  return once.flatMap(({ path, level }) => {
    if (built !== undefined && !built.postures.includes(level))
      return [{ path, message: `is ${level}, of which ${built.name} builds no cells here; use ${built.postures.join(' or ')}` }]
    if (base.origin !== null && isHigher(base.level, level))
      return [{ path, message: `is ${level}, which is lower than ${base.level} (${base.origin}); use ${base.level} or leave it out` }]
    return []
  })
}
