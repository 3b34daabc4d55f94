import { lstatSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { adapterNames } from '../../adapters/registry.ts'
import { effective, layered, type Setting } from '../../config/layers.ts'
import { projectFileName } from '../../config/project-file-name.ts'
import type { ConfigFile, Known } from '../../config/read.ts'
import type { ProjectFile } from '../../config/trust.ts'
import { presetNames } from '../../egress/policy/presets.ts'
import { PaddockError } from '../../errors.ts'
import type { Paths } from '../../paths.ts'
import { widening } from '../run/private-egress.ts'
import type { RunOptions } from '../run/run-spec.ts'

const agents = adapterNames.filter((each) => each !== 'command')
export const knownNames: Known = { agents, presets: [...presetNames, ...agents] }

export function userConfigFile(paths: Paths): string {
  return path.join(paths.config, 'config.yaml')
}

export function trustStore(paths: Paths): string {
  return path.join(paths.state, 'trusted.json')
}

/** The configuration that counts for a project, lowest first, and what is known of the project's own file. */
export interface Loaded {
  readonly files: readonly ConfigFile[]
  readonly project: { readonly file: ProjectFile; readonly trust: 'trusted' | 'changed' | 'unknown' } | null
}

/** Reads the user's file and, unless it is to be left alone, the project's where it is trusted. @throws PaddockError `BAD_INPUT`, `NOT_ALLOWED` */
export async function loadConfig(project: string, paths: Paths, options = { projectFile: true }): Promise<Loaded> {
  const files: ConfigFile[] = []
  const user = userConfigFile(paths)
  const text = await readFile(user).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw new PaddockError('BAD_INPUT', `${user} cannot be read (${error.code}).`, { cause: error })
  })
  // What reads and checks them is loaded where there is one: most runs have neither.
  if (text !== null) files.push((await import('../../config/read.ts')).parseConfig(text, user, 'user', knownNames))
  if (!options.projectFile || lstatSync(path.join(project, projectFileName), { throwIfNoEntry: false }) === undefined)
    return { files, project: null }
  const [{ parseConfig }, { readProjectFile, trustOf }] = await Promise.all([
    import('../../config/read.ts'),
    import('../../config/trust.ts'),
  ])
  const file = await readProjectFile(project)
  if (file === null) return { files, project: null }
  const trust = await trustOf(trustStore(paths), project, file.sha256)
  if (trust === 'trusted') files.push(parseConfig(file.bytes, file.file, 'project', knownNames))
  return { files, project: { file, trust } }
}

/** @throws PaddockError `NOT_ALLOWED` where the project has a file that the user did not agree to as it is */
export function refuseUntrusted({ project }: Loaded): void {
  if (project === null || project.trust === 'trusted') return
  const why = project.trust === 'changed' ? 'has changed since you trusted it' : 'is not trusted'
  throw new PaddockError('NOT_ALLOWED', `${project.file.file} ${why}, so nothing was started.`, {
    hint: 'See what it asks for with paddock trust --show, then: paddock trust. Or run without it: --no-project-file',
  })
}

/**
 * The options of a run with what the configuration adds: values of the command line (`given` by name) count, lists add
 * up. `args` are the configured arguments of the agent.
 */
export function withConfig(
  options: RunOptions,
  given: (option: string) => boolean,
  loaded: Loaded,
  agent: string | null,
  context: { readonly env: NodeJS.ProcessEnv; readonly paths: Paths },
): { readonly options: RunOptions; readonly args: readonly string[] } {
  const all = layered(loaded.files).filter((each) => options.private !== true || !widening.has(each.key))
  const egress = given('egress') ? options.egress : String(last(all, 'run.egress') ?? options.egress)
  const settings = effective(all, egress)
  const one = <T>(key: string): T | undefined => last(settings, key) as T | undefined
  const list = (key: string): Setting[] => settings.filter((each) => each.key === key)
  const texts = (key: string): string[] => list(key).map((each) => String(each.value))
  const isProjects = ({ origin }: Setting): boolean => loaded.project !== null && origin.startsWith(`${loaded.project.file.file}:`)
  const own = (key: string): string[] => list(key).flatMap((each) => (isProjects(each) ? [] : [String(each.value)]))
  const projects = (key: string): string[] => list(key).flatMap((each) => (isProjects(each) ? [String(each.value)] : []))
  const places = (key: string): string[] => list(key).map((each) => placeOf(each, context.paths, loaded))
  const isSet = (name: string): boolean => name.includes('=') || context.env[name] !== undefined
  const text = (option: keyof RunOptions, key: string): object => {
    const value = given(option) ? undefined : one<string | number>(key)
    return value === undefined ? {} : { [option]: String(value) }
  }
  const copy = given('copy') ? options.copy === true : one<boolean>('run.copy') === true
  return {
    options: {
      ...options,
      egress,
      // The first entry for a name counts: a project's neither takes a question of yours away nor a pin.
      allow: [...own('run.allow'), ...options.allow],
      ask: [...own('run.ask'), ...options.ask],
      projectAllow: projects('run.allow'),
      projectAsk: projects('run.ask'),
      block: [...texts('run.block'), ...options.block],
      inspect: [...texts('run.inspect'), ...options.inspect],
      // The first rule that matches decides: what you say now goes before your file, and that before the project's.
      rule: [...options.rule, ...own('run.rules')],
      rules: [...options.rules, ...own('run.ruleSets')],
      projectRule: projects('run.rules'),
      projectRules: projects('run.ruleSets'),
      preset: [...texts('run.presets'), ...options.preset],
      ro: [...places('run.ro'), ...options.ro],
      rw: [...places('run.rw'), ...options.rw],
      configuredMask: texts('run.mask'),
      env: [...texts('run.env').filter(isSet), ...options.env],
      secret: [...texts('run.secrets'), ...options.secret],
      repo: [...texts('run.repos'), ...options.repo],
      login: given('login') ? options.login : one<boolean>('run.login') !== false,
      copy,
      copyIgnored: given('copyIgnored') ? options.copyIgnored === true : copy && one<boolean>('run.copyIgnored') === true,
      ...text('timeout', 'run.limits.timeout'),
      ...text('silence', 'run.limits.silence'),
      ...text('memory', 'run.limits.memory'),
      ...text('pids', 'run.limits.pids'),
      ...text('fileSize', 'run.limits.fileSize'),
      ...text('disk', 'run.limits.disk'),
      ...(agent === null
        ? {}
        : {
            ...text('model', `agents.${agent}.model`),
            ...text('baseUrl', `agents.${agent}.baseUrl`),
            ...text('credentials', `agents.${agent}.credentials`),
          }),
    },
    args: agent === null ? [] : texts(`agents.${agent}.args`),
  }
}

function last(settings: readonly Setting[], key: string): Setting['value'] | undefined {
  return settings.findLast((each) => each.key === key)?.value
}

/** A path that a project asked for must be the one that the user saw: no link may lead elsewhere by now. */
function placeOf(setting: Setting, paths: Paths, { project }: Loaded): string {
  const place = path.normalize(String(setting.value).replace(/^~(?=\/)/, paths.userHome))
  if (project === null || !setting.origin.startsWith(`${project.file.file}:`)) return place
  let real: string
  try {
    real = realpathSync(place)
  } catch (cause) {
    throw new PaddockError('BAD_INPUT', `${setting.origin}: there is nothing at ${place}.`, {
      hint: `Make it, or change ${projectFileName}.`,
      cause,
    })
  }
  if (real !== place.replace(/(?<=.)\/$/, ''))
    throw new PaddockError('NOT_ALLOWED', `${setting.origin}: ${place} leads through a link to ${real}.`, {
      hint: 'A project may only ask for paths without links, so that you see what you agree to.',
    })
  return real
}
