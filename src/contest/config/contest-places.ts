import { type BackendName, type Backends, backendFor, type CellPlace, posturesOf } from '../../base/cell-place.ts'
import { defaultPosture, isHigher, type Posture } from '../../base/posture.ts'
import { type BasePlace, defaultPlace } from '../../config/base-place.ts'
import type { KeyPath } from '../../config/key-path.ts'
import { keyText } from '../../config/key-path.ts'
import type { Ask } from '../../run/run-asks.ts'
import type { ContestConfig } from './contest-schema.ts'
import type { SenseProblem } from './sense.ts'
import { roleKey } from './variants.ts'

type Places = Pick<ContestConfig, 'participants' | 'judges' | 'checks' | 'posture' | 'backend'>

/** Returns the isolation level and the backend of a participant, judge or check. */
export function placeOf(
  { posture, backend }: Pick<ContestConfig, 'posture' | 'backend'>,
  own: { readonly posture?: Posture | undefined; readonly backend?: BackendName | undefined },
  base: BasePlace = defaultPlace,
): { readonly posture: Posture; readonly backend: BackendName } {
  return { posture: own.posture ?? posture ?? base.posture, backend: own.backend ?? backend ?? base.backend }
}

/**
 * Returns the place for a round that goes on: its cells do not fall to a lower level than it began with, unless an option names that level.
 * @param began the level at the start of the round; undefined: not known.
 */
export function placeOfRound(base: BasePlace, began: Posture | undefined): BasePlace {
  const isChosen = base.origins.posture?.startsWith('--') === true
  if (began === undefined || isChosen || !isHigher(began, base.posture)) return base
  return { ...base, posture: began, origins: { ...base.origins, posture: 'the level at which this round began' } }
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
export function postureAsks({ posture, checks }: Pick<Places, 'posture' | 'checks'>): readonly Ask[] {
  const named = [{ key: 'posture', posture }, ...checks.map((each, index) => ({ key: `checks[${index}].posture`, posture: each.posture }))]
  return named.flatMap(({ key, posture: value }) => (value === undefined || !isHigher(defaultPosture, value) ? [] : [{ key, value }]))
}

/**
 * Returns the levels and backends of a contest.yaml that cannot be used: those of which no cell is built here, and levels that are lower than
 * what the user set with an option or in the configuration. `isWanted`: whether its cell would start.
 */
export function placeProblems(
  config: Places,
  isWanted: (group: 'participants' | 'judges' | 'checks', name: string) => boolean,
  { base = defaultPlace, backends }: { readonly base?: BasePlace; readonly backends: Backends | undefined },
): readonly SenseProblem[] {
  const groups = ['participants', 'judges', 'checks'] as const
  const problems = groups.flatMap((group) =>
    config[group].flatMap((each, index): readonly SenseProblem[] => {
      if (!isWanted(group, each.name)) return []
      const at = (key: 'posture' | 'backend'): KeyPath => {
        if (each[key] === undefined) return [key]
        return group === 'checks' ? [group, index, key] : roleKey(config, group, index, key)
      }
      const named = { posture: each.posture ?? config.posture, backend: each.backend ?? config.backend }
      return problemsAt(at, named, placeOf(config, each, base), base, backends)
    }),
  )
  return [...new Map(problems.map((each) => [keyText(each.path), each])).values()]
}

function problemsAt(
  at: (key: 'posture' | 'backend') => KeyPath,
  named: CellPlace,
  place: ReturnType<typeof placeOf>,
  base: BasePlace,
  backends: Backends | undefined,
): readonly SenseProblem[] {
  const { posture, backend } = place
  if (named.backend !== undefined && backends !== undefined && backend !== 'auto' && backends.every(({ name }) => name !== backend))
    return [
      {
        path: at('backend'),
        message: `is ${backend}, which ${backend === 'none' ? 'only paddock run can use' : 'this machine does not have'}; use ${['auto', ...backends.map(({ name }) => name)].join(' or ')}`,
      },
    ]
  const isNamed = named.posture !== undefined || named.backend !== undefined
  if (isNamed && backends !== undefined && backendFor(backends, place) === undefined) {
    const builder = backend === 'auto' ? backends[0].name : backend
    const levels = posturesOf(backends, backend).join(' or ')
    return named.posture === undefined
      ? [{ path: at('backend'), message: `is ${backend}, which builds no cells of ${posture} here; use auto` }]
      : [{ path: at('posture'), message: `is ${posture}, of which ${builder} builds no cells here; use ${levels}` }]
  }
  if (named.posture !== undefined && base.origins.posture !== null && isHigher(base.posture, posture))
    return [
      {
        path: at('posture'),
        message: `is ${posture}, which is lower than ${base.posture} (${base.origins.posture}); use ${base.posture} or leave it out`,
      },
    ]
  return []
}
