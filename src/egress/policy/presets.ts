import { messageOf, PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import type { AllowEntry } from './egress-policy.ts'
import { parseHostPattern } from './host-pattern.ts'
import type { RegistrySetting } from './registry-setting.ts'
import type { RegistryTool } from './registry-settings.ts'

/** The facts about the host that presets need: the registries of its tools. */
export type PresetFacts = Readonly<Partial<Record<RegistryTool, readonly RegistrySetting[]>>>

/** Exact names. `*.githubusercontent.com` is a public suffix, and a wildcard would take the port from the cell's own servers. */
const github: readonly (readonly [host: string, ...ports: number[]])[] = [
  ['github.com', 22, 443],
  ['api.github.com', 443],
  ['codeload.github.com', 443],
  ['uploads.github.com', 443],
  ['gist.github.com', 443],
  ['lfs.github.com', 443],
  ['raw.githubusercontent.com', 443],
  ['gist.githubusercontent.com', 443],
  ['media.githubusercontent.com', 443],
  ['objects.githubusercontent.com', 443],
  ['objects-origin.githubusercontent.com', 443],
  ['release-assets.githubusercontent.com', 443],
  ['github-cloud.githubusercontent.com', 443],
  ['avatars.githubusercontent.com', 443],
]

const settingOf: Record<RegistryTool, string> = {
  pypi: 'index-url in pip.conf',
  npm: 'registry in ~/.npmrc',
  apt: 'a source in /etc/apt/sources.list.d',
  cargo: 'a source that replaces crates-io, or a registry, in ~/.cargo/config.toml',
  go: 'GOPROXY with go env -w',
  gem: ':sources: in ~/.gemrc, or a mirror with bundle config',
  maven: 'a mirror in ~/.m2/settings.xml',
  gradle: 'a property with the URL of a repository in ~/.gradle/gradle.properties',
  nuget: 'a package source with dotnet nuget add source',
}

/** The presets that are not for an agent. */
export const presetNames: readonly string[] = ['github', ...Object.keys(settingOf)]

/**
 * Returns the entries of a preset. The presets of registries are those that this host is configured to use.
 * @param agents additional presets by name, such as the hosts of each agent.
 * @throws PaddockError BAD_INPUT for an unknown name, or if a registry preset finds no registry
 */
export function presetEntries(
  name: string,
  facts: PresetFacts,
  agents: Readonly<Record<string, readonly AllowEntry[]>> = {},
): readonly AllowEntry[] {
  if (name === 'github') return github.map(([host, ...ports]) => ({ host, ports, internal: false, source: name }))
  if (isRegistryTool(name)) return registryEntries(name, facts[name] ?? [])
  const found = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (found !== undefined) return found
  const known = [...presetNames, ...Object.keys(agents)]
  const near = nearest(name, known)
  throw new PaddockError('BAD_INPUT', `There is no preset ${JSON.stringify(name)}${near === null ? '' : `; did you mean ${near}?`}`, {
    hint: `Use one of: ${known.join(', ')}`,
  })
}

export function isRegistryTool(name: string): name is RegistryTool {
  return Object.hasOwn(settingOf, name)
}

function registryEntries(tool: RegistryTool, settings: readonly RegistrySetting[]): AllowEntry[] {
  const ports = new Map<string, Set<number>>()
  const unusable: string[] = []
  for (const { url, from, use } of settings) {
    // A token does not allow its host.
    if (use === 'token' || use === 'setting') continue
    try {
      const { host, port } = hostOf(url, from)
      ports.set(host, (ports.get(host) ?? new Set()).add(port))
    } catch (error) {
      unusable.push(messageOf(error))
    }
  }
  if (ports.size === 0) {
    throw new PaddockError(
      'BAD_INPUT',
      `The preset ${tool} finds no registry that a cell could reach${unusable.length > 0 ? `: ${unusable[0]}` : ''}`,
      {
        hint: `Set ${settingOf[tool]}, or name the hosts yourself with --allow HOST[:PORT]`,
      },
    )
  }
  return [...ports].map(([host, each]) => ({ host, ports: [...each], internal: false, source: tool }))
}

/** Returns host and port of a registry's URL. Errors do not show the URL, because it may contain a password. */
function hostOf(url: string, from: string): { host: string; port: number } {
  const parsed = URL.parse(url.replace(/^(?:mirror|sparse|registry)\+(?=https?:)/, ''))
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw new PaddockError('BAD_INPUT', `${from}: a registry is not an http or https URL.`)
  }
  const port = parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : Number(parsed.port)
  return { host: parseHostPattern(parsed.hostname, from), port }
}
