import type { RegistrySetting } from './registry-setting.ts'
import { type XmlElement, xmlTree } from './xml.ts'

type Found = Omit<RegistrySetting, 'from'>

/** Kinds of repositories in a profile. */
const kinds = ['repository', 'pluginRepository'] as const

/**
 * Reads Maven's settings.xml: mirrors, and the repositories of the profiles that may be active without an option. A use names what the
 * URL is for: `@mirror:ID:MIRROR_OF`, or `@KIND:ID:POLICY`, whose policy has `r` for releases and `s` for snapshots. Settings are
 * `blocked:ID`, a mirror that refuses its repositories. Each server is a token.
 */
export function mavenUrls(text: string): Found[] {
  const settings = xmlTree(text)
  if (settings?.name !== 'settings') return []
  const servers = new Map(all(settings, 'servers', 'server').map((each) => [textOf(each, 'id'), tokenOf(each)]))
  const named = new Set<string>()
  const found: Found[] = []
  const add = (id: string, url: string, use: `@${string}`): void => {
    found.push({ url, use })
    const token = servers.get(id)
    if (token === undefined) return
    named.add(id)
    found.push({ url, ...token })
  }
  for (const each of all(settings, 'mirrors', 'mirror')) {
    const [id, url, of] = [textOf(each, 'id'), textOf(each, 'url'), textOf(each, 'mirrorOf').replaceAll(/\s/g, '')]
    if (!isId(id) || of === '') continue
    if (textOf(each, 'blocked') === 'true') found.push({ url: '', use: 'setting', variable: `blocked:${id}`, text: of })
    else add(id, url, `@mirror:${id}:${of}`)
  }
  const active = new Set(all(settings, 'activeProfiles', 'activeProfile').map((each) => each.text.trim()))
  for (const profile of all(settings, 'profiles', 'profile')) {
    if (!active.has(textOf(profile, 'id')) && !profile.children.some((each) => each.name === 'activation')) continue
    for (const kind of kinds)
      for (const each of all(profile, kind === 'repository' ? 'repositories' : 'pluginRepositories', kind)) {
        const id = textOf(each, 'id')
        const isOn = (policy: string): boolean => all(each, policy, 'enabled').every((one) => one.text.trim() !== 'false')
        if (isId(id)) add(id, textOf(each, 'url'), `@${kind}:${id}:${isOn('releases') ? 'r' : ''}${isOn('snapshots') ? 's' : ''}`)
      }
  }
  // A project names the URLs of its own repositories.
  return [...found, ...[...servers].flatMap(([id, token]) => (named.has(id) || id === '' ? [] : [{ url: '', ...token }]))]
}

/** Returns what a server of the settings has instead of a URL: its user name, and the variable with its password, if it names one. */
function tokenOf(server: XmlElement): Pick<Found, 'variable' | 'login'> & { readonly use: 'token' } {
  const [header] = all(server, 'configuration', 'httpHeaders').flatMap(({ children }) => children.filter(({ name }) => name === 'property'))
  const password = textOf(server, 'password')
  const isInHeader = password === '' && header !== undefined
  const variable = /^\$\{env\.([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(isInHeader ? textOf(header, 'value') : password)?.[1]
  const login = { id: textOf(server, 'id'), user: textOf(server, 'username'), ...(isInHeader ? { header: textOf(header, 'name') } : {}) }
  return { use: 'token', login, ...(variable === undefined ? {} : { variable }) }
}

/**
 * Returns the settings that count if several files have the same ID, the first one, with repositories that have a mirror as settings, because
 * Maven connects only to the mirror. `isCentral`: true if Maven uses the default repository at its own URL.
 */
export function usedByMaven(found: readonly RegistrySetting[]): { readonly used: readonly RegistrySetting[]; readonly isCentral: boolean } {
  const ids = new Set<string>()
  const firsts = found.filter(({ use, variable = '' }) => {
    if (use === 'token') return true
    const [kind = '', id = ''] = (use === 'setting' ? variable : use.slice(1)).split(':')
    const name = `${kind === 'blocked' ? 'mirror' : kind}:${id}`
    return !ids.has(name) && ids.add(name)
  })
  const patterns = firsts.flatMap(({ use, variable = '', text = '' }) =>
    use.startsWith('@mirror:') ? [use.split(':').slice(2).join(':')] : variable.startsWith('blocked:') ? [text] : [],
  )
  const isMirrored = (id: string, url: string): boolean => patterns.some((each) => mirrors(each, id, url))
  const used = firsts.map((each): RegistrySetting => {
    const [, kind = '', id = ''] = /^@(repository|pluginRepository):([^:]*):/.exec(each.use) ?? []
    return kind === '' || !isMirrored(id, each.url)
      ? each
      : { url: '', from: each.from, use: 'setting', variable: each.use.slice(1), text: each.url }
  })
  return { used, isCentral: !ids.has('repository:central') && !isMirrored('central', 'https://central') }
}

/** Returns true if a mirror with this `mirrorOf` takes the place of a repository (maven.apache.org/guides/mini/guide-mirror-settings.html). */
function mirrors(pattern: string, id: string, url: string): boolean {
  const parsed = URL.parse(url)
  const isExternal = parsed !== null && !['localhost', '127.0.0.1', ''].includes(parsed.hostname)
  let isMatch = false
  for (const each of pattern.split(',')) {
    if (each === `!${id}`) return false
    if (each === id) return true
    if (each === '*' || (each === 'external:*' && isExternal)) isMatch = true
    if (each === 'external:http:*' && isExternal && parsed.protocol === 'http:') isMatch = true
  }
  return isMatch
}

/** Returns the URLs of the repositories in Maven's own POM, which every project inherits. */
export function superPomUrls(text: string): string[] {
  const pom = xmlTree(text)
  const found = pom === null ? [] : kinds.flatMap((kind) => all(pom, kind === 'repository' ? 'repositories' : 'pluginRepositories', kind))
  return [...new Set(found.map((each) => textOf(each, 'url')))].filter((each) => each !== '')
}

/** Maven refuses other characters in IDs. */
function isId(id: string): boolean {
  return /^[^\\/:"<>|?*]+$/.test(id)
}

function all(element: XmlElement, list: string, item: string): readonly XmlElement[] {
  return element.children.filter(({ name }) => name === list).flatMap(({ children }) => children.filter(({ name }) => name === item))
}

function textOf(element: XmlElement, child: string): string {
  return element.children.find(({ name }) => name === child)?.text.trim() ?? ''
}
