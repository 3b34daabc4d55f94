import { backendNames, type PlaceOrigins } from '../../base/cell-place.ts'
import { PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { defaultPosture, isHigher, type Posture, postures } from '../../base/posture.ts'
import { type OriginedRule, trifectaRules } from '../../base/trifecta-rating.ts'
import { effective, layered, type Setting } from '../../config/layers.ts'
import { readRequest } from '../../config/request/read-request.ts'
import type { Origin, RunRequest } from '../../config/request/request.ts'
import type { Loaded } from '../config/configured.ts'
import { placeOf, runnable } from './asked-names.ts'
import type { IsGiven, RunOptions } from './options.ts'
import { publishPorts } from './publish.ts'
import { Gathered } from './request-values.ts'

/** Keys of a request whose values are lists, each with the options that add to the list. */
const lists: readonly (readonly [key: string, option: string, of: (options: RunOptions) => readonly string[]])[] = [
  ['egress.allow', '--allow', (options) => options.allow],
  ['egress.ask', '--ask', (options) => options.ask],
  ['egress.block', '--block', (options) => options.block],
  ['egress.presets', '--preset', (options) => options.preset],
  ['egress.inspect', '--inspect', (options) => options.inspect],
  ['egress.rules', '--rule', (options) => options.rule],
  ['egress.ruleSets', '--rules', (options) => options.rules],
  ['ro', '--ro', (options) => options.ro],
  ['rw', '--rw', (options) => options.rw],
  ['mask', '--mask', (options) => options.mask ?? []],
  ['env', '--env', (options) => options.env],
  ['secrets', '--secret', (options) => options.secret],
  ['repos', '--repo', (options) => options.repo],
]
/** Keys with a single value. */
const values: readonly (readonly [key: string, option: string, of: keyof RunOptions])[] = [
  ['limits.timeout', '--timeout', 'timeout'],
  ['limits.silence', '--silence', 'silence'],
  ['limits.memory', '--memory', 'memory'],
  ['limits.pids', '--pids', 'pids'],
  ['limits.cpus', '--cpus', 'cpus'],
  ['limits.fileSize', '--file-size', 'fileSize'],
  ['limits.disk', '--disk', 'disk'],
]
const agentValues: readonly (readonly [key: string, option: string, of: keyof RunOptions])[] = [
  ['model', '--model', 'model'],
  ['baseUrl', '--base-url', 'baseUrl'],
  ['credentials', '--credentials', 'credentials'],
]
/** Settings with which the configuration may widen a policy. They are ignored with --private. */
const widening: ReadonlySet<string> = new Set(['policy', 'allow', 'ask', 'presets', 'block'].map((each) => `run.egress.${each}`))

/** The result of a command line, together with the configuration in effect. */
export interface Asked {
  readonly request: RunRequest
  /** The places and the values of the configured isolation level and backend; null: an option sets it, or it is the default. */
  readonly placeOrigins: PlaceOrigins
  readonly copy: boolean
  readonly copyIgnored: boolean
  /** Files that a new work tree gets (`worktree.copy`). */
  readonly worktreeCopy: readonly string[]
}

/**
 * Parses the arguments and options of `paddock run` and adds the configuration. Single values of the command line win; lists are combined.
 * @throws PaddockError BAD_INPUT, NOT_ALLOWED
 */
export function askedBy(
  { words, isCommand, terminal }: { readonly words: readonly string[]; readonly isCommand: boolean; readonly terminal: boolean },
  options: RunOptions,
  isGiven: IsGiven,
  loaded: Loaded,
  paths: Pick<Paths, 'userHome'>,
): Asked {
  const agent = isCommand ? 'command' : runnable(words[0] ?? '', words.slice(1))
  const all = layered(loaded.files).filter((each) => options.private !== true || !widening.has(each.key))
  const last = (key: string, of: readonly Setting[] = all): Setting | undefined => of.findLast((each) => each.key === key)
  const isProjects = ({ origin }: Setting): boolean => loaded.project !== null && origin.startsWith(`${loaded.project.file.file}:`)
  const level = posture(options, all, isProjects)
  const configured = isGiven('egress') ? undefined : last('run.egress.policy')
  // Only the network of this machine is available on the bare host.
  const policy = level === 'L0' && configured?.origin === 'default' ? { ...configured, value: 'open' } : configured
  const settings = effective(all, policy === undefined ? options.egress : String(policy.value))
  const gathered = new Gathered()
  const originOf = (each: Setting): Origin => ({ place: each.origin, from: isProjects(each) ? 'project' : 'user' })

  gathered.value('egress.policy', policy?.origin === 'default' ? String(policy.value) : options.egress, by('--egress'))
  if (policy !== undefined && policy.origin !== 'default') gathered.value('egress.policy', String(policy.value), originOf(policy))
  for (const [key, option, of] of lists) {
    const isPath = key === 'ro' || key === 'rw'
    const configured = (): void => {
      for (const each of settings.filter((one) => one.key === `run.${key}`))
        gathered.list(key, [isPath ? placeOf(each, paths, loaded) : String(each.value)], originOf(each))
    }
    // The first matching rule decides, so the caller's rules come before the file's.
    const optionsFirst = key === 'egress.rules' || key === 'egress.ruleSets'
    if (!optionsFirst) configured()
    gathered.list(key, of(options), by(option))
    if (optionsFirst) configured()
  }
  const single = (key: string, option: string, name: keyof RunOptions, setting: Setting | undefined): void => {
    if (setting !== undefined) gathered.value(key, String(setting.value), originOf(setting))
    const text = options[name]
    if (text !== undefined && (setting === undefined || isGiven(name))) gathered.value(key, String(text), by(option))
  }
  for (const [key, option, name] of values) single(key, option, name, last(`run.${key}`, settings))
  for (const [key, option, name] of agentValues) single(key, option, name, isCommand ? undefined : last(`agents.${agent}.${key}`, settings))
  for (const each of settings.filter((one) => !isCommand && options.asIs !== true && one.key === `agents.${agent}.args`))
    gathered.list('args', [String(each.value)], originOf(each))
  const unwebbed = last('run.webTools')
  if (!options.webTools) gathered.value('webTools', 'false', by('--no-web-tools'))
  else if (!isCommand && unwebbed?.value === false) gathered.value('webTools', 'false', originOf(unwebbed))
  if (!isCommand) gathered.list('args', words.slice(1), by('the arguments'))

  const copy = isGiven('copy') ? options.copy === true : last('run.copy', settings)?.value === true
  return {
    request: readRequest(
      {
        agent,
        ...(isCommand ? { command: words } : {}),
        terminal,
        asIs: options.asIs === true,
        private: options.private === true,
        publish: options.publish.map((each) => publishPorts.parse(each).inside),
        deps: options.deps ?? String(last('run.deps')?.value),
        untrusted: options.untrusted,
        ...trifecta(last('run.trifecta')),
        brief: options.brief,
        isBareHost: level === 'L0',
        strictNames: options.strictNames === true || strictNames(all),
        degraded: [...options.allowDegraded, ...(options.nestedSandbox === true ? ['nested-sandbox'] : [])],
      },
      {
        ...gathered.input(isGiven('login') ? options.login : options.login && last('run.login', settings)?.value !== false),
        posture: level,
        backend: options.backend ?? backendNames.find((each) => each === last('run.backend', settings)?.value) ?? 'auto',
      },
      gathered.originOf,
    ),
    placeOrigins: {
      posture: options.posture === undefined ? settingOrigin('run.posture', all) : null,
      backend: options.backend === undefined ? settingOrigin('run.backend', all) : null,
    },
    copy,
    copyIgnored: isGiven('copyIgnored') ? options.copyIgnored === true : copy && last('run.copyIgnored', settings)?.value === true,
    worktreeCopy: all.filter((each) => each.key === 'worktree.copy').map((each) => String(each.value)),
  }
}

/** @throws PaddockError if the option is lower than what the project's file wants, or for the bare host without `--i-know` */
function posture(
  { posture: option, iKnow }: Pick<RunOptions, 'posture' | 'iKnow'>,
  all: readonly Setting[],
  isProjects: (setting: Setting) => boolean,
): Posture {
  const setting = all.find(({ key }) => key === 'run.posture')
  const configured = postures.find((each) => each === setting?.value) ?? defaultPosture
  if (option !== undefined && setting !== undefined && isProjects(setting) && isHigher(configured, option))
    throw new PaddockError('NOT_ALLOWED', `--posture ${option}: the project wants ${configured} (${setting.origin}).`, {
      hint: `Leave the option out, or ignore the project's file with --no-project-file`,
    })
  const level = option ?? configured
  if (level === 'L0' && iKnow !== true)
    throw new PaddockError(
      'NOT_ALLOWED',
      `${option === undefined ? settingOrigin('run.posture', all) : '--posture L0'}: on the bare host, nothing protects your files, logins and network from the command.`,
      { hint: 'If you want that, add --i-know' },
    )
  if (level !== 'L0' && iKnow === true) throw new PaddockError('BAD_INPUT', '--i-know requires --posture L0.', { hint: 'Leave it out' })
  return level
}

/** Returns the rule about the lethal trifecta, with its place. */
function trifecta(setting: Setting | undefined): { readonly trifecta?: OriginedRule } {
  const rule = trifectaRules.find((each) => each === setting?.value)
  return rule === undefined || setting === undefined ? {} : { trifecta: { rule, origin: setting.origin } }
}

/** Returns the place of a setting with its key and value; null: no file sets it. */
function settingOrigin(name: string, all: readonly Setting[]): string | null {
  const setting = all.find(({ key }) => key === name)
  return setting === undefined || setting.origin === 'default' ? null : `${setting.origin}: ${name} ${setting.value}`
}

/** Returns the names of `run.strictNames`; true if a file wants all of them. */
function strictNames(all: readonly Setting[]): boolean | readonly string[] {
  const values = all.filter(({ key }) => key === 'run.strictNames').map(({ value }) => value)
  return values.includes(true) || values.filter((each) => each !== false).map((each) => String(each).replace(/\/$/, ''))
}

const by = (place: string): Origin => ({ place, from: 'caller' })
