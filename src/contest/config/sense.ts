import type { AgentAdapter, Family } from '../../adapters/adapter.ts'
import { familyOf } from '../../adapters/family.ts'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { type KeyPath, keyText } from '../../config/key-path.ts'
import { problemsOfBrought } from './brought-sense.ts'
import type { ContestConfig, RoleConfig } from './contest-schema.ts'
import { roleKey } from './variants.ts'
import { you } from './you.ts'

export interface SenseProblem {
  readonly path: KeyPath
  readonly message: string
}

/** Returns the adapter of an agent. Throws a `PaddockError` that suggests the nearest known agent. */
export type FindAdapter = (name: string) => AgentAdapter

/**
 * Returns the problems that a schema cannot express: duplicate names, unknown agents, keys that exclude each other, judges that share a
 * family with a participant.
 */
export function problemsBeyondShape(config: ContestConfig, findAdapter: FindAdapter): SenseProblem[] {
  const problems: SenseProblem[] = []
  const say = (path: KeyPath, message: string): void => {
    // The variants of a participant share its keys.
    if (!problems.some((each) => each.message === message && keyText(each.path) === keyText(path))) problems.push({ path, message })
  }
  if (config.setup !== undefined && (config.start === undefined || config.workspace !== undefined))
    say(['setup'], config.start === undefined ? 'requires start' : 'cannot be combined with workspace')
  for (const group of ['participants', 'judges'] as const) {
    const keyOf = (index: number, key: string): KeyPath => roleKey(config, group, index, key)
    twice(
      config[group],
      (each) => each.name,
      (index, name) => say(keyOf(index, 'name'), `is used twice: ${name}`),
    )
    for (const [index, each] of config[group].entries()) roleSense(each, (key) => keyOf(index, key), findAdapter, say)
    for (const [index, { name }] of config[group].entries())
      if (name === 'sealed') say(keyOf(index, 'name'), 'is sealed, which is the directory of the sealed work; take another name')
    for (const [index, { name }] of config[group].entries())
      if (name === you) say(keyOf(index, 'name'), 'is you, which is the judge of paddock contest judge --me; take another name')
  }
  twice(
    config.checks,
    (each) => each.name,
    (index, name) => say(['checks', index, 'name'], `is used twice: ${name}`),
  )
  for (const [index, check] of config.checks.entries()) {
    const both = (check.run === undefined ? 0 : 1) + (check.verify === undefined ? 0 : 1)
    if (check.command === undefined && both < 2)
      say(['checks', index, check.run === undefined ? 'run' : 'verify'], 'is missing: a check has run and verify, or command')
    for (const key of ['filesAt', 'rewardAt'] as const) {
      const place = check[key]
      const other = place === undefined ? undefined : submittedPlaces(config).find((each) => isInside(place, each) || isInside(each, place))
      if (other !== undefined)
        say(
          ['checks', index, key],
          `overlaps ${other}, whose files a submission decides, so it could keep the check from starting; take another path`,
        )
    }
    if (check.command !== undefined && both > 0) say(['checks', index, 'command'], 'does not go with run and verify; keep one way')
  }
  const { rubric } = config
  if (rubric === undefined) {
    if (config.judges.length > 0) say(['rubric'], 'is missing: judges need a scale and dimensions to score by')
    else if (config.checks.length === 0) say(['judges'], 'are missing, and so are checks: nothing would tell which submission is better')
  } else {
    if (rubric.scale.min >= rubric.scale.max) say(['rubric', 'scale', 'max'], `must be more than min (${rubric.scale.min})`)
    twice(
      rubric.dimensions,
      (each) => each.id,
      (index, id) => say(['rubric', 'dimensions', index, 'id'], `is used twice: ${id}`),
    )
  }
  if (config.judging.comparisons !== undefined && config.judging.mode === 'rubric')
    say(['judging', 'comparisons'], 'has no effect with the mode rubric; set judging.mode to pairwise or both')
  const { by } = config.ranking
  if (by !== 'judges' && config.checks.length === 0) say(['ranking'], `is ${by}, but there are no checks`)
  if (config.judging.repeats > 1 && config.judging.mode === 'pairwise')
    say(['judging', 'repeats'], 'has no effect with the mode pairwise; set judging.mode to rubric or both')
  if (config.judging.policy === 'distinct-family') problems.push(...familyProblems(config, findAdapter))
  return problems
}

/** Returns the paths in the cells of checks whose contents are of a submission. */
function submittedPlaces({ workspace }: ContestConfig): readonly string[] {
  return [...(workspace?.directories ?? []), '/submission', '/result']
}

function isInside(place: string, directory: string): boolean {
  return place === directory || place.startsWith(`${directory}/`)
}

/**
 * Returns the families of a participant or judge: as configured, or else from its adapter and model. A role without a model has no family.
 */
export function familiesBehind({ family, families, model }: RoleConfig, adapter: AgentAdapter): readonly Family[] {
  return (families ?? [family ?? familyOf(adapter, model ?? null)]).filter((each) => each !== 'none')
}

/** A judge and a participant of the same family. */
export interface Kin {
  readonly judge: string
  readonly participant: string
  readonly family: Family
}

/** Returns all pairs of a judge and a participant that share a family. An unknown family matches no other. */
export function kinOf({ judges, participants }: ContestConfig, findAdapter: FindAdapter): Kin[] {
  const familiesOf = (each: RoleConfig): readonly Family[] => knownFamilies(each, findAdapter).filter((one) => one !== unknown)
  return judges.flatMap((judge) =>
    participants.flatMap((participant) => {
      const family = familiesOf(judge).find((each) => familiesOf(participant).includes(each))
      return family === undefined ? [] : [{ judge: judge.name, participant: participant.name, family }]
    }),
  )
}

/** Returns whether a judge must not see the work of a participant. */
export function keptApart(config: ContestConfig, findAdapter: FindAdapter): (judge: string, participant: string) => boolean {
  if (config.judging.policy !== 'distinct-family') return () => false
  const kin = kinOf(config, findAdapter)
  return (judge, participant) => kin.some((each) => each.judge === judge && each.participant === participant)
}

/** Returns the names of the judges that may judge at least one participant. */
export function judgesWithWork(config: ContestConfig, findAdapter: FindAdapter): string[] {
  const apart = keptApart(config, findAdapter)
  const { judges, participants } = config
  return judges.map(({ name }) => name).filter((judge) => !participants.every(({ name }) => apart(judge, name)))
}

const unknown: Family = 'various'

function knownFamilies(each: RoleConfig, findAdapter: FindAdapter): readonly Family[] {
  try {
    return familiesBehind(each, findAdapter(each.agent))
  } catch {
    // The unknown agent is reported elsewhere.
    return []
  }
}

function familyProblems(config: ContestConfig, findAdapter: FindAdapter): SenseProblem[] {
  if (config.judges.length === 0) return []
  const hasModels = (group: 'participants' | 'judges'): boolean => config[group].some((each) => knownFamilies(each, findAdapter).length > 0)
  // Without a model in the other group there is no conflict.
  const untold = (['participants', 'judges'] as const).flatMap((group) =>
    !hasModels(group === 'judges' ? 'participants' : 'judges')
      ? []
      : [...config[group].entries()]
          .filter(([, each]) => knownFamilies(each, findAdapter).includes(unknown))
          .map(([index, { name }]) => ({
            path: roleKey(config, group, index, 'family'),
            message:
              `is missing: the vendor of the model of ${name} is not known, so a judge of the same vendor could score it; ` +
              'name the vendor (or none), or set judging.policy to warn or allow-self',
          })),
  )
  const kin = kinOf(config, findAdapter)
  const unjudged = [...config.participants.entries()].flatMap(([index, { name }]) => {
    const own = kin.filter(({ participant }) => participant === name)
    if (new Set(own.map(({ judge }) => judge)).size < config.judges.length) return []
    const families = [...new Set(own.map(({ family }) => family))].join(' and ')
    return [
      {
        path: roleKey(config, 'participants', index, 'agent'),
        message: `has no judge: ${name} and every judge are of the family ${families}; add a judge of another family, or set judging.policy to warn or allow-self`,
      },
    ]
  })
  return [...untold, ...unjudged]
}

function roleSense(
  each: RoleConfig,
  at: (key: string) => KeyPath,
  findAdapter: FindAdapter,
  say: (path: KeyPath, message: string) => void,
): void {
  problemsOfBrought(each, at, say)
  let takesCommand = false
  try {
    takesCommand = findAdapter(each.agent).takesCommand === true
  } catch (error) {
    say(at('agent'), `cannot be used: ${withHint(error)}`)
  }
  if (each.family !== undefined && each.families !== undefined) say(at('families'), 'and family do not go together; keep one')
  if (takesCommand && each.command === undefined) say(at('command'), `is missing: the agent ${each.agent} needs the program to run`)
  if (!takesCommand && each.command !== undefined)
    say(at('command'), 'belongs to the agents command and acp only; use args for further arguments')
  if (each.egress !== undefined) {
    const { policy = 'allowlist', allow = [], presets = [], ask = [], inspect = [], rules = [], ruleSets = [], block = [] } = each.egress
    const single = allow.length + presets.length + ask.length
    if (policy !== 'allowlist' && single > 0) {
      const why = policy === 'off' ? 'nothing can be allowed' : 'single hosts have no effect'
      say([...at('egress'), 'policy'], `is ${policy}, so ${why}; set it to allowlist`)
    }
    if (policy === 'off' && inspect.length + rules.length + ruleSets.length > 0)
      say([...at('egress'), 'policy'], 'is off, so there are no requests to judge; set it to allowlist')
    if (policy !== 'public' && block.length > 0) say([...at('egress'), 'block'], `has no effect with ${policy}; it is for public`)
  }
}

function withHint(error: unknown): string {
  const hint = error instanceof PaddockError ? error.hint : undefined
  return hint === undefined ? messageOf(error) : `${messageOf(error)} ${hint}`
}

function twice<T>(list: readonly T[], key: (each: T) => string, found: (index: number, key: string) => void): void {
  const seen = new Set<string>()
  for (const [index, each] of list.entries()) {
    if (seen.has(key(each))) found(index, key(each))
    seen.add(key(each))
  }
}
