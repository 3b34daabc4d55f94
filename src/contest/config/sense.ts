import type { AgentAdapter, Family } from '../../adapters/adapter.ts'
import { familyOf } from '../../adapters/family.ts'
import type { KeyPath } from '../../config/key-path.ts'
import { messageOf, PaddockError } from '../../errors.ts'
import type { ContestConfig, RoleConfig } from './schema.ts'

export interface SenseProblem {
  readonly path: KeyPath
  readonly message: string
}

/** Finds the adapter of an agent; throws a `PaddockError` that names the nearest known one. */
export type FindAdapter = (name: string) => AgentAdapter

/** What a shape cannot say: names used twice, agents that nobody knows, keys that do not go together, judges of their own kin. */
export function problemsBeyondShape(config: ContestConfig, findAdapter: FindAdapter): SenseProblem[] {
  const problems: SenseProblem[] = []
  const say = (path: KeyPath, message: string): void => {
    problems.push({ path, message })
  }
  for (const group of ['participants', 'judges'] as const) {
    twice(
      config[group],
      (each) => each.name,
      (index, name) => say([group, index, 'name'], `is used twice: ${name}`),
    )
    for (const [index, each] of config[group].entries()) roleSense(each, [group, index], findAdapter, say)
  }
  twice(
    config.checks,
    (each) => each.name,
    (index, name) => say(['checks', index, 'name'], `is used twice: ${name}`),
  )
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
  if (config.judging.policy === 'distinct-family') problems.push(...kinProblems(config, findAdapter))
  return problems
}

/** The family behind a participant or judge: as told, else as its adapter and model say. */
export function familyBehind(role: RoleConfig, adapter: AgentAdapter): Family {
  return role.family ?? familyOf(adapter, role.model ?? null)
}

/** Judges who would judge their own family. Families `none` and `various` say nothing and never clash. */
export function kinOf(config: ContestConfig, findAdapter: FindAdapter): { judge: number; participant: string; family: Family }[] {
  const family = (each: RoleConfig): Family => {
    try {
      return familyBehind(each, findAdapter(each.agent))
    } catch {
      return 'none'
    }
  }
  return config.judges.flatMap((judge, index) => {
    const own = family(judge)
    if (own === 'none' || own === 'various') return []
    const kin = config.participants.find((participant) => family(participant) === own)
    return kin === undefined ? [] : [{ judge: index, participant: kin.name, family: own }]
  })
}

function kinProblems(config: ContestConfig, findAdapter: FindAdapter): SenseProblem[] {
  return kinOf(config, findAdapter).map(({ judge, participant, family }) => ({
    path: ['judges', judge, 'agent'],
    message:
      `${config.judges[judge]?.name} and participant ${participant} are both of the family ${family}, and would be judged by their own kin; ` +
      'take a judge of another family, or set judging.policy to warn or allow-self',
  }))
}

function roleSense(each: RoleConfig, at: KeyPath, findAdapter: FindAdapter, say: (path: KeyPath, message: string) => void): void {
  try {
    findAdapter(each.agent)
  } catch (error) {
    say([...at, 'agent'], `cannot be used: ${withHint(error)}`)
  }
  if (each.agent === 'command' && each.command === undefined)
    say([...at, 'command'], 'is missing: the agent command needs the program to run')
  if (each.agent !== 'command' && each.command !== undefined)
    say([...at, 'command'], 'belongs to the agent command only; use args for further arguments')
  if (each.egress !== undefined) {
    const { policy = 'allowlist', allow = [], presets = [], ask = [], inspect = [], rules = [], ruleSets = [], block = [] } = each.egress
    const single = allow.length + presets.length + ask.length
    if (policy !== 'allowlist' && single > 0) {
      const why = policy === 'off' ? 'nothing can be allowed' : 'single hosts mean nothing'
      say([...at, 'egress', 'policy'], `is ${policy}, so ${why}; set it to allowlist`)
    }
    if (policy === 'off' && inspect.length + rules.length + ruleSets.length > 0)
      say([...at, 'egress', 'policy'], 'is off, so there are no requests to judge; set it to allowlist')
    if (policy !== 'public' && block.length > 0) say([...at, 'egress', 'block'], `means nothing with ${policy}; it is for public`)
  }
}

function withHint(error: unknown): string {
  const hint = error instanceof PaddockError ? error.hint : undefined
  return hint === undefined ? messageOf(error) : `${messageOf(error)}; ${hint}`
}

function twice<T>(list: readonly T[], key: (each: T) => string, found: (index: number, key: string) => void): void {
  const seen = new Set<string>()
  for (const [index, each] of list.entries()) {
    if (seen.has(key(each))) found(index, key(each))
    seen.add(key(each))
  }
}
