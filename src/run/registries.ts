import type { PresetFacts } from '../egress/policy/presets.ts'
import type { RegistryLogin, RegistrySetting } from '../egress/policy/registry-setting.ts'
import type { RegistryTool } from '../egress/policy/registry-settings.ts'
import { mavenXml } from './maven-xml.ts'
import { nugetConfig } from './nuget-config.ts'

/** The registry settings of a cell. They contain no secrets. */
export interface CellRegistries {
  readonly files: readonly { readonly target: string; readonly content: string }[]
  readonly env: Readonly<Record<string, string>>
  /** Notes for the user about tokens that are not in the cell, one sentence each. */
  readonly notes: readonly string[]
}

/** The registries of one tool: the one for everything, if it is not the tool's own default, and others by their use. */
interface Registries {
  readonly main: string | null
  readonly others: readonly { readonly use: string; readonly url: string }[]
  /** Variables with tokens, by the URL of their registry without the scheme. Empty: of a registry that only projects name. */
  readonly tokens: readonly { readonly place: string; readonly variable: string; readonly login?: RegistryLogin }[]
  /** Variables of the tool, without passwords. */
  readonly settings: Readonly<Record<string, string>>
}

interface Tool {
  /** The variable of a secret whose placeholder is used as a token. Empty if each token has its own. */
  readonly variable: string
  /** Where the tools read their settings last, so that those of a project take precedence. Variables only for tools without such a file. */
  write(registries: Registries): Pick<CellRegistries, 'files' | 'env'>
}

const npmrc = '/etc/paddock/npmrc'
const gemrc = '/etc/paddock/gemrc'
const mavenSettings = '/etc/paddock/maven-settings.xml'
const bundlerConfig = '/etc/paddock/bundle-config'
const tools: Readonly<Record<Exclude<RegistryTool, 'apt'>, Tool>> = {
  npm: {
    variable: 'NPM_TOKEN',
    write: ({ main, others, tokens }) => ({
      // npm and pnpm read the file. Yarn has no file for all projects.
      files: [
        {
          target: npmrc,
          content: lines([
            ...(main === null ? [] : [`registry=${main}`]),
            ...others.map(({ use, url }) => `${use}:registry=${url}`),
            ...tokens.map(({ place, variable }) => `${place}:_authToken=\${${variable}}`),
          ]),
        },
      ],
      env: { NPM_CONFIG_GLOBALCONFIG: npmrc, ...(main === null ? {} : { YARN_REGISTRY: main, YARN_NPM_REGISTRY_SERVER: main }) },
    }),
  },
  pypi: {
    variable: 'PYPI_TOKEN',
    write: ({ main, others }) => ({
      files: [
        {
          target: '/etc/pip.conf',
          content: lines([
            '[global]',
            ...(main === null ? [] : [`index-url = ${main}`]),
            ...(others.length === 0 ? [] : [`extra-index-url = ${others.map(({ url }) => url).join(' ')}`]),
          ]),
        },
        {
          target: '/etc/uv/uv.toml',
          content: lines([
            ...others.flatMap(({ url }) => ['[[index]]', `url = "${url}"`]),
            ...(main === null ? [] : ['[[index]]', `url = "${main}"`, 'default = true']),
          ]),
        },
      ],
      env: {},
    }),
  },
  cargo: {
    variable: 'CARGO_REGISTRY_TOKEN',
    write: ({ main, others }) => {
      // Cargo refuses two names for one registry.
      const same = others.find(({ url }) => url === main)?.use.slice(1)
      return {
        // Cargo reads the file of every directory above the project, and then that of CARGO_HOME.
        files: [
          {
            target: '/.cargo/config.toml',
            content: lines([
              ...others.flatMap(({ use, url }) => [`[registries.${use.slice(1)}]`, `index = "${url}"`]),
              ...(main === null ? [] : ['[source.crates-io]', `replace-with = "${same ?? 'of-this-machine'}"`]),
              ...(main === null || same !== undefined ? [] : ['[source.of-this-machine]', `registry = "${main}"`]),
            ]),
          },
        ],
        env: {},
      }
    },
  },
  go: { variable: 'GOPROXY_PASSWORD', write: ({ settings }) => ({ files: [], env: settings }) },
  gem: {
    variable: 'GEM_PASSWORD',
    write: ({ main, others }) => {
      const sources = [...(main === null ? [] : [main]), ...others.filter(({ use }) => use === 'more').map(({ url }) => url)]
      const mirrors = others.filter(({ use }) => use !== 'more')
      return {
        files: [
          ...(sources.length === 0 ? [] : [{ target: gemrc, content: lines([':sources:', ...sources.map((url) => `- ${url}`)]) }]),
          ...(mirrors.length === 0
            ? []
            : [{ target: bundlerConfig, content: lines(['---', ...mirrors.map(({ use, url }) => `${use.slice(1)}: "${url}"`)]) }]),
        ],
        env: { ...(sources.length === 0 ? {} : { GEMRC: gemrc }), ...(mirrors.length === 0 ? {} : { BUNDLE_USER_CONFIG: bundlerConfig }) },
      }
    },
  },
  maven: {
    variable: 'MAVEN_PASSWORD',
    write: ({ others, settings, tokens }) => {
      const content = mavenXml(others, settings, tokens)
      // The global settings of packaged Mavens, and of Maven 3.9 and newer wherever it is. Those of the user and the project take precedence.
      return {
        files: ['/etc/maven/settings.xml', mavenSettings].map((target) => ({ target, content })),
        env: { MAVEN_ARGS: `--global-settings ${mavenSettings}` },
      }
    },
  },
  gradle: {
    variable: '',
    write: ({ others, tokens }) => {
      const users = tokens.flatMap(({ login }) => (login === undefined || login.user === '' ? [] : [[login.id, login.user]]))
      return { files: [], env: Object.fromEntries([...others.map(({ use, url }) => [use.slice(1), url]), ...users]) }
    },
  },
  nuget: {
    variable: 'NUGET_PASSWORD',
    write: ({ others, settings, tokens }) => ({
      // The configuration of the machine. Those of the user and the project take precedence.
      files: [{ target: '/etc/opt/NuGet/Config/paddock.config', content: nugetConfig(others, settings, tokens) }],
      env: {},
    }),
  },
}

/** The variables of a cell that may contain tokens. */
export interface CellVariables {
  has(variable: string): boolean
  /** Returns the placeholder in a variable, if there is one. */
  placeholder(variable: string): string | undefined
}

/**
 * Returns the registry settings of the presets in use, so that the tools in the cell use the registries that the cell may reach. Passwords
 * and tokens are left out, unless the cell has a placeholder for them.
 */
export function registriesInCell(facts: PresetFacts, variables: CellVariables): CellRegistries {
  const all = (Object.keys(tools) as (keyof typeof tools)[]).map((name) => settingsOf(tools[name], facts[name] ?? [], variables))
  return {
    files: all.flatMap((each) => each.files),
    env: Object.assign({}, ...all.map((each) => each.env)),
    notes: all.flatMap((each) => each.notes),
  }
}

function settingsOf(tool: Tool, settings: readonly RegistrySetting[], variables: CellVariables): CellRegistries {
  const withheld = new Map<string, string>()
  const urlOf = (setting: RegistrySetting): string | null => {
    const scheme = /^(?:sparse|registry)\+(?=https?:)/.exec(setting.url)?.[0] ?? ''
    const url = URL.parse(setting.url.slice(scheme.length))
    if (url === null || !/^https?:$/.test(url.protocol)) return null
    const { username, password, host, hostname } = url
    const placeholder = variables.placeholder(tool.variable)
    const isKept = password !== '' && placeholder !== undefined
    if ((username !== '' || password !== '') && !isKept)
      withheld.set(hostname, `the password for ${hostname} in ${setting.from} is not in the cell${howTo(tool.variable, hostname)}`)
    const path = url.pathname.split('/').some(isToken) ? '/' : url.pathname
    if (path !== url.pathname)
      withheld.set(hostname, `the path of ${hostname} in ${setting.from} looks like a token, so it is not in the cell`)
    return `${scheme}${url.protocol}//${isKept ? `${username}:${placeholder}@` : ''}${host}${path}`
  }
  const used = settings.flatMap((each) => {
    const url = ['token', 'default', 'setting'].includes(each.use) ? null : urlOf(each)
    return url === null ? [] : [{ use: each.use, url }]
  })
  const own = settings.flatMap(({ variable, text, from, use }) =>
    variable === undefined || text === undefined
      ? []
      : [
          [
            variable,
            text.replaceAll(/[^,|\s]+/g, (item) => (isWebUrl(item) ? (urlOf({ url: item, from, use }) ?? 'off') : withoutUser(item))),
          ] as const,
        ],
  )
  const main = used.find(({ use }) => use === 'main')?.url ?? null
  const others = [
    ...new Map(used.filter(({ use }) => use !== 'main').map((each) => [each.use === 'more' ? each.url : each.use, each])).values(),
  ]
  const hosts = new Set(used.map(({ url }) => URL.parse(url.replace(/^\w+\+/, ''))?.host))
  const tokens = settings.flatMap(({ use, url, from, login, variable: named }) => {
    if (use !== 'token') return []
    const variable = named ?? tool.variable
    const isThere = variables.has(variable)
    const ofLogin = login === undefined ? {} : { login }
    if (url === '' && isThere) return [{ place: '', variable, ...ofLogin }]
    if (url === '') {
      if (named !== undefined) withheld.set(variable, `the secret for ${variable} in ${from} is not in the cell${howTo(variable, 'HOST')}`)
      return []
    }
    const parsed = URL.parse(url.replace(/^\w+\+/, ''))
    if (parsed === null || !hosts.has(parsed.host)) return []
    if (isThere) return [{ place: `//${parsed.host}${parsed.pathname}`, variable, ...ofLogin }]
    withheld.set(parsed.hostname, `the token for ${parsed.hostname} in ${from} is not in the cell${howTo(variable, parsed.hostname)}`)
    return []
  })
  if (used.length + own.length + tokens.length === 0) return { files: [], env: {}, notes: [] }
  return { ...tool.write({ main, others, tokens, settings: Object.fromEntries(own) }), notes: [...withheld.values()] }
}

const howTo = (variable: string, host: string): string =>
  variable === '' ? '' : `; to give it a placeholder: --secret ${variable}=vault:NAME@${host}`

const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text)

const withoutUser = (item: string): string => item.replace(/^([\w+.-]+:\/\/)?[^/]*@/, '$1')

/** Returns true for a part of a path that is long and looks random, because some registries have a token there. */
function isToken(part: string): boolean {
  const text = decoded(part)
  const isMixed = /[a-zA-Z]/.test(text) && (/\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)))
  return text.length >= 16 && isMixed && !text.split(/[-._/]/).every(isWord)
}

/** Returns true for a word in capitals, or one or more in small letters or as in `CamelCase`, with a short number after them. */
function isWord(text: string): boolean {
  if (/^[A-Z]*\d{0,3}$/.test(text)) return true
  const capitals = text.replaceAll(/[^A-Z]/g, '').length
  return /^[a-z]*(?:[A-Z][a-z]+)*\d{0,3}$/.test(text) && capitals * 3 <= text.length
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function lines(text: readonly string[]): string {
  return text.map((each) => `${each}\n`).join('')
}
