import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PresetFacts } from './presets.ts'
import { type RegistrySetting, type RegistryTool, registriesIn } from './registry-settings.ts'

/** The means to find the tools' configuration on this host. */
export interface PresetHost {
  /** Home directory of the user. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Runs a program of the host in the given directory and returns its standard output. Rejects if the program fails. */
  readonly run: (argv: readonly string[], cwd: string) => Promise<string>
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
  return tool !== 'apt' && !found.some(({ url }) => /^https?:/i.test(url)) ? [...found, ...(await builtin(tool, host))] : found
}

function fromVariables(tool: RegistryTool, env: PresetHost['env']): RegistrySetting[] {
  const names = { pypi: ['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL'], npm: ['npm_config_registry', 'NPM_CONFIG_REGISTRY'], apt: [] }[tool]
  return names.flatMap((from) => (env[from] ?? '').split(/\s+/).flatMap((url) => (url === '' ? [] : [{ url, from }])))
}

async function filesOf(tool: RegistryTool, { home, env, root = '/' }: PresetHost): Promise<string[]> {
  const etc = path.join(root, 'etc')
  const config = env['XDG_CONFIG_HOME'] ?? path.join(home, '.config')
  if (tool === 'pypi') {
    const named = env['PIP_CONFIG_FILE']
    return [
      path.join(etc, 'pip.conf'),
      path.join(home, '.pip/pip.conf'),
      path.join(config, 'pip/pip.conf'),
      ...(named === undefined ? [] : [named]),
    ]
  }
  if (tool === 'npm') return [env['NPM_CONFIG_USERCONFIG'] ?? path.join(home, '.npmrc'), path.join(etc, 'npmrc')]
  const parts = path.join(etc, 'apt/sources.list.d')
  const names = await readdir(parts).catch(() => [])
  const used = names.filter((name) => /\.(?:list|sources)$/.test(name)).toSorted()
  return [path.join(etc, 'apt/sources.list'), ...used.map((name) => path.join(parts, name))]
}

/** Returns a tool's own default registries. The tool runs in the home directory, so that no project's settings apply. */
async function builtin(tool: 'pypi' | 'npm', host: PresetHost): Promise<RegistrySetting[]> {
  const argv = tool === 'npm' ? ['npm', 'config', 'get', 'registry'] : ['python3', '-I', '-c', pipDefaults]
  const output = await host.run(argv, host.home).catch(() => '')
  return output
    .split(/\s+/)
    .flatMap((url) => (/^https?:/.test(url) ? [{ url, from: argv[0] === 'npm' ? 'npm config get registry' : 'pip' }] : []))
}

/**
 * A program that prints pip's defaults, which pip does not report otherwise. If this module moves, the program prints nothing, and the
 * preset's error says what to do.
 */
const pipDefaults = [
  'from pip._internal.models.index import PyPI',
  'print(PyPI.simple_url)',
  'print("https://" + PyPI.file_storage_domain)',
].join('\n')
