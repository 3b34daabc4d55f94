import { access, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { readRegular } from '../../files/read-regular.ts'
import { superPomUrls, usedByMaven } from './maven-settings.ts'
import { usedByNuget } from './nuget-settings.ts'
import type { PresetFacts } from './presets.ts'
import { bundlerVariable, goHosts, goVariable, goVariables } from './registry-readers.ts'
import type { RegistrySetting, RegistryUse } from './registry-setting.ts'
import { type RegistryTool, registriesIn } from './registry-settings.ts'
import { zipEntry } from './zip-entry.ts'

/** The means to find the tools' configuration on this host. */
export interface PresetHost {
  /** Home directory of the user. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns the absolute path of a program of the host that no agent could have put there, or null. The program does not run. */
  readonly program: (name: string) => string | null
  /** The directory that contains `etc`. Default: `/`; tests set another one. */
  readonly root?: string
}

const maxFileBytes = 1_048_576
const maxArchiveBytes = 16 * maxFileBytes

/**
 * Returns the facts about this host that presets need, for the given tools. Only the user's and the machine's configuration is read,
 * never a project's, because a cell could change that to choose what the next cell may reach.
 */
export async function readPresetFacts(tools: Iterable<RegistryTool>, host: PresetHost): Promise<PresetFacts> {
  const facts: Partial<Record<RegistryTool, readonly RegistrySetting[]>> = {}
  for (const tool of new Set(tools)) facts[tool] = await settingsOf(tool, host)
  return facts
}

async function settingsOf(tool: RegistryTool, host: PresetHost): Promise<RegistrySetting[]> {
  const found = fromVariables(tool, host.env)
  for (const file of await filesOf(tool, host)) {
    const text = await textOf(file)
    if (text !== '') found.push(...registriesIn(tool, { path: file, text }))
  }
  if (tool === 'apt' || tool === 'gradle') return found
  if (tool === 'nuget') return [...usedByNuget(found)]
  // Go has one default for each variable. What was found first takes precedence.
  if (tool === 'go') return [...firstOfEach(found), ...(await goDefaults(found, host))]
  if (tool === 'maven') {
    const { used, isCentral } = usedByMaven(found)
    return [...used, ...(isCentral ? await constants(tool, host) : [])]
  }
  if (found.some(({ url, use }) => use === 'main' && /^(?:sparse\+)?https?:/i.test(url))) return found
  return [...found, ...(await constants(tool, host))]
}

/** Returns the text of a regular file; empty if it is missing or too large. */
async function textOf(file: string): Promise<string> {
  return (await bytesOf(file, maxFileBytes)).toString('utf8')
}

async function bytesOf(file: string, mostBytes: number): Promise<Buffer> {
  const real = await realpath(file).catch(() => null)
  const read = real === null ? null : await readRegular(real, mostBytes)
  return read?.ok === true ? read.bytes : Buffer.alloc(0)
}

function fromVariables(tool: RegistryTool, env: PresetHost['env']): RegistrySetting[] {
  if (tool === 'go') return goVariables.flatMap((from) => goVariable(from, env[from] ?? '').map((each) => ({ ...each, from })))
  if (tool === 'gem')
    return Object.entries(env).flatMap(([from, value = '']) =>
      from.startsWith('BUNDLE_') ? bundlerVariable(from, value).map((each) => ({ ...each, from })) : [],
    )
  if (tool === 'cargo')
    return Object.entries(env).flatMap(([from, url = '']) => {
      const name = /^CARGO_REGISTRIES_(\w+)_INDEX$/.exec(from)?.[1]?.toLowerCase().replaceAll('_', '-')
      return name === undefined || url === '' ? [] : [{ url, from, use: `@${name}` as const }]
    })
  const names: Record<string, RegistryUse> = {
    pypi: {
      PIP_INDEX_URL: 'main',
      UV_DEFAULT_INDEX: 'main',
      UV_INDEX_URL: 'main',
      PIP_EXTRA_INDEX_URL: 'more',
      UV_EXTRA_INDEX_URL: 'more',
    },
    npm: { npm_config_registry: 'main', NPM_CONFIG_REGISTRY: 'main', YARN_NPM_REGISTRY_SERVER: 'main' },
    apt: {},
    maven: {},
    gradle: {},
    nuget: {},
  }[tool] as Record<string, RegistryUse>
  return Object.entries(names).flatMap(([from, use]) =>
    (env[from] ?? '').split(/\s+/).flatMap((text) => {
      // uv allows a name in front of the URL.
      const url = text.replace(/^[A-Za-z0-9_.-]+=(?=https?:)/, '')
      return url === '' ? [] : [{ url, from, use }]
    }),
  )
}

/** Returns the files of a tool. Those that take precedence come first. */
async function filesOf(tool: RegistryTool, host: PresetHost): Promise<string[]> {
  const { home, env, root = '/' } = host
  const etc = path.join(root, 'etc')
  const config = env['XDG_CONFIG_HOME'] ?? path.join(home, '.config')
  if (tool === 'pypi') {
    const named = env['PIP_CONFIG_FILE']
    return [
      ...(named === undefined ? [] : [named]),
      path.join(config, 'pip/pip.conf'),
      path.join(home, '.pip/pip.conf'),
      path.join(config, 'uv/uv.toml'),
      path.join(etc, 'pip.conf'),
      path.join(etc, 'uv/uv.toml'),
    ]
  }
  if (tool === 'npm') {
    const user = env['NPM_CONFIG_USERCONFIG'] ?? path.join(home, '.npmrc')
    return [user, path.join(home, '.yarnrc.yml'), path.join(etc, 'npmrc'), ...(await npmFiles(host))]
  }
  if (tool === 'cargo') {
    const own = env['CARGO_HOME'] ?? path.join(home, '.cargo')
    const named = await Promise.all(
      ['config.toml', 'config'].map(async (each) => [path.join(own, each), await exists(path.join(own, each))]),
    )
    // Cargo reads the older name only if both exist.
    return named.flatMap(([file, is]) => (is === true ? [String(file)] : [])).slice(-1)
  }
  if (tool === 'go') return env['GOENV'] === 'off' ? [] : [env['GOENV'] ?? path.join(config, 'go/env')]
  if (tool === 'gem') {
    const own = (await exists(path.join(home, '.gemrc'))) ? path.join(home, '.gemrc') : path.join(config, 'gem/gemrc')
    const named = (env['GEMRC'] ?? '').split(path.delimiter).filter((each) => path.isAbsolute(each))
    const bundler = env['BUNDLE_USER_CONFIG'] ?? path.join(env['BUNDLE_USER_HOME'] ?? path.join(home, '.bundle'), 'config')
    return [...named.toReversed(), own, path.join(etc, 'gemrc'), ...(path.basename(bundler) === 'config' ? [bundler] : [])]
  }
  if (tool === 'maven') return [path.join(home, '.m2/settings.xml'), path.join(await mavenHome(host), 'conf/settings.xml')]
  if (tool === 'gradle') return [path.join(env['GRADLE_USER_HOME'] ?? path.join(home, '.gradle'), 'gradle.properties')]
  if (tool === 'nuget') {
    const ofMachine = path.join(env['NUGET_COMMON_APPLICATION_DATA'] ?? path.join(etc, 'opt'), 'NuGet/Config')
    const more = await Promise.all([path.join(home, '.nuget/config'), ofMachine].map(nugetFiles))
    return [path.join(home, '.nuget/NuGet/NuGet.Config'), path.join(config, 'NuGet/NuGet.Config'), ...more.flat()]
  }
  const parts = path.join(etc, 'apt/sources.list.d')
  const names = await readdir(parts).catch(() => [])
  const used = names.filter((name) => /\.(?:list|sources)$/.test(name)).toSorted()
  return [path.join(etc, 'apt/sources.list'), ...used.map((name) => path.join(parts, name))]
}

async function nugetFiles(directory: string): Promise<string[]> {
  const names = (await readdir(directory).catch(() => [])).filter((each) => /\.[Cc]onfig$/.test(each)).toSorted()
  return names.map((each) => path.join(directory, each))
}

/** Returns the configuration files of npm's prefix and of its package (npm-config(1)), for the npm of the host. */
async function npmFiles({ program, env }: PresetHost): Promise<string[]> {
  const named = env['NPM_CONFIG_GLOBALCONFIG']
  const npm = program('npm')
  const prefix = npm === null ? [] : [path.join(path.dirname(path.dirname(npm)), 'etc/npmrc')]
  const own = (await npmPackage(npm)).map((each) => path.join(each, 'npmrc'))
  return [...(named === undefined ? prefix : [named]), ...own]
}

/** Returns the directory of npm's package, from the program's real path `…/npm/bin/npm-cli.js`; empty if it is elsewhere. */
async function npmPackage(npm: string | null): Promise<string[]> {
  const real = npm === null ? '' : await realpath(npm).catch(() => '')
  return path.basename(path.dirname(real)) === 'bin' ? [path.dirname(path.dirname(real))] : []
}

/**
 * Returns a tool's default registries, which are constants in its source. Neither npm nor Python runs for them, because both run what the
 * user's configuration names. If the constants move, the preset's error says what to do. Those of cargo are only in its binary.
 */
async function constants(tool: keyof typeof toolConstants, host: PresetHost): Promise<RegistrySetting[]> {
  const { sources, defaults, read } = toolConstants[tool]
  for (const file of await sources(host)) {
    const urls = defaults(await (read ?? textOf)(file))
    if (urls.length > 0) return urls.map((url) => ({ url, from: file, use: 'default' }))
  }
  return []
}

/** The files of npm with the default of `registry`: since npm 9, and before. Debian keeps npm's dependencies beside it. */
async function npmSources({ program }: PresetHost): Promise<string[]> {
  return (await npmPackage(program('npm'))).flatMap((own) => [
    ...[path.join(own, 'node_modules'), path.dirname(own)].map((each) => path.join(each, '@npmcli/config/lib/definitions/definitions.js')),
    path.join(own, 'lib/utils/config/definitions.js'),
  ])
}

function npmDefault(text: string): string[] {
  return [/\('registry', \{\s*default: (["'`])(https?:[^"'`]+)\1/.exec(text)?.[2] ?? []].flat()
}

/** The files of pip with its defaults, in the directories of system packages and in those of the host's Python. */
async function pipSources({ program, root = '/' }: PresetHost): Promise<string[]> {
  const python = program('python3')
  const real = python === null ? '' : await realpath(python).catch(() => '')
  const prefixes = [...(real === '' ? [] : [path.dirname(path.dirname(real))]), path.join(root, 'usr/local'), path.join(root, 'usr')]
  const found = await Promise.all([...new Set(prefixes)].map(pipIn))
  return found.flat()
}

async function pipIn(prefix: string): Promise<string[]> {
  const lib = path.join(prefix, 'lib')
  const versions = (await readdir(lib).catch(() => [])).filter((name) => /^python3(\.\d+)?$/.test(name)).toSorted()
  return versions.flatMap((version) =>
    ['site-packages', 'dist-packages'].map((each) => path.join(lib, version, each, 'pip/_internal/models/index.py')),
  )
}

/** Returns the index and the host of its files: `PyPI = PackageIndex("URL", file_storage_domain="HOST")`. */
function pipDefaults(text: string): string[] {
  const [, url, , storage] = /^PyPI = PackageIndex\(\s*["'](https?:[^"']+)(["']),\s*file_storage_domain=["']([^"']+)["']/m.exec(text) ?? []
  return url === undefined || storage === undefined ? [] : [new URL('simple', url).href, `https://${storage}`]
}

/** The files of RubyGems with its defaults, in the directories of Ruby's library. Debian keeps RubyGems in its own. */
async function gemSources({ program, root = '/' }: PresetHost): Promise<string[]> {
  const ruby = program('ruby')
  const real = ruby === null ? '' : await realpath(ruby).catch(() => '')
  const prefixes = [...(real === '' ? [] : [path.dirname(path.dirname(real))]), path.join(root, 'usr')]
  const found = await Promise.all(
    [...new Set(prefixes)].map(async (prefix) => {
      const lib = path.join(prefix, 'lib/ruby')
      const parts = (await readdir(lib).catch(() => [])).filter((name) => /^(?:vendor_ruby|\d+\.\d+\.\d+)$/.test(name)).toSorted()
      return parts.toReversed().map((each) => path.join(lib, each, 'rubygems/defaults.rb'))
    }),
  )
  return found.flat()
}

/** Returns the directory of Maven, from the program's real path `…/bin/mvn`. Packages of systems have it below `/usr/share`. */
async function mavenHome({ program, root = '/' }: PresetHost): Promise<string> {
  const mvn = program('mvn')
  const real = mvn === null ? '' : await realpath(mvn).catch(() => '')
  return path.basename(path.dirname(real)) === 'bin' ? path.dirname(path.dirname(real)) : path.join(root, 'usr/share/maven')
}

/** The archives with Maven's own POM: of Maven 3, and of Maven 4. */
async function mavenJars(host: PresetHost): Promise<string[]> {
  const lib = path.join(await mavenHome(host), 'lib')
  const names = await readdir(lib).catch(() => [])
  return ['maven-model-builder-', 'maven-impl-'].flatMap((start) =>
    names.filter((name) => name.startsWith(start) && name.endsWith('.jar')).map((name) => path.join(lib, name)),
  )
}

async function superPom(jar: string): Promise<string> {
  return zipEntry(await bytesOf(jar, maxArchiveBytes), '/pom-4.0.0.xml')?.toString('utf8') ?? ''
}

function gemDefault(text: string): string[] {
  return [/def self\.default_sources\s+%w\[(https?:[^\]\s]+)/.exec(text)?.[1] ?? []].flat()
}

const toolConstants: Record<Exclude<RegistryTool, 'apt' | 'go' | 'gradle' | 'nuget'>, Constants> = {
  npm: { sources: npmSources, defaults: npmDefault },
  pypi: { sources: pipSources, defaults: pipDefaults },
  gem: { sources: gemSources, defaults: gemDefault },
  cargo: { sources: async () => [], defaults: () => [] },
  maven: { sources: mavenJars, defaults: superPomUrls, read: superPom },
}

interface Constants {
  readonly sources: (host: PresetHost) => Promise<string[]>
  readonly defaults: (text: string) => string[]
  /** Returns the text of a file. Default: the file itself. */
  readonly read?: (file: string) => Promise<string>
}

/** Leaves out what a file says about a variable that the environment sets. */
function firstOfEach(found: readonly RegistrySetting[]): RegistrySetting[] {
  const places = new Map<string | undefined, string>()
  const kept = found.filter(({ use, variable, from }) => {
    if (use !== 'setting') return true
    if (!places.has(variable)) places.set(variable, from)
    return places.get(variable) === from
  })
  const named = new Set(kept.flatMap(({ variable = '', text }) => (text === undefined ? [] : goHosts(variable, text))))
  return kept.filter(({ use, url }) => use === 'setting' || named.has(url))
}

/** Returns Go's own defaults for the variables that are not set, from its go.env, or from the source beside it. */
async function goDefaults(found: readonly RegistrySetting[], { program }: PresetHost): Promise<RegistrySetting[]> {
  const go = program('go')
  const real = go === null ? '' : await realpath(go).catch(() => '')
  if (real === '') return []
  const goRoot = path.dirname(path.dirname(real))
  for (const each of ['go.env', 'src/cmd/go/internal/cfg/cfg.go']) {
    const file = path.join(goRoot, each)
    const text = await textOf(file)
    const urls = (['GOPROXY', 'GOSUMDB'] as const).flatMap((name) => {
      if (found.some(({ use, variable }) => use === 'setting' && variable === name)) return []
      const value = new RegExp(`^${name}=(.*)$|envOr\\("${name}", "([^"]*)"\\)`, 'm').exec(text)
      return goHosts(name, value?.[1] ?? value?.[2] ?? 'off')
    })
    if (urls.length > 0) return urls.map((url) => ({ url, from: file, use: 'default' }))
  }
  return []
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
