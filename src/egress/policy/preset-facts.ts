import { readdir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { PresetFacts } from './presets.ts'
import { type RegistrySetting, type RegistryTool, type RegistryUse, registriesIn } from './registry-settings.ts'

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

/**
 * Returns the facts about this host that presets need, for the given tools. Only the user's and the machine's configuration is read,
 * never a project's, because a cell could change that to choose what the next cell may reach.
 */
export async function readPresetFacts(tools: Iterable<RegistryTool>, host: PresetHost): Promise<PresetFacts> {
  const facts: Record<RegistryTool, readonly RegistrySetting[]> = { pypi: [], npm: [], apt: [] }
  for (const tool of new Set(tools)) facts[tool] = await settingsOf(tool, host)
  return facts
}

async function settingsOf(tool: RegistryTool, host: PresetHost): Promise<RegistrySetting[]> {
  const found = fromVariables(tool, host.env)
  for (const file of await filesOf(tool, host)) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.length <= maxFileBytes) found.push(...registriesIn(tool, { path: file, text }))
  }
  if (tool === 'apt' || found.some(({ url, use }) => use === 'main' && /^https?:/i.test(url))) return found
  return [...found, ...(await constants(tool, host))]
}

function fromVariables(tool: RegistryTool, env: PresetHost['env']): RegistrySetting[] {
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
  const parts = path.join(etc, 'apt/sources.list.d')
  const names = await readdir(parts).catch(() => [])
  const used = names.filter((name) => /\.(?:list|sources)$/.test(name)).toSorted()
  return [path.join(etc, 'apt/sources.list'), ...used.map((name) => path.join(parts, name))]
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
 * user's configuration names. If the constants move, the preset's error says what to do.
 */
async function constants(tool: 'pypi' | 'npm', host: PresetHost): Promise<RegistrySetting[]> {
  for (const file of tool === 'npm' ? await npmSources(host) : await pipSources(host)) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const urls = tool === 'npm' ? npmDefault(text) : pipDefaults(text)
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
