import type { RegistrySetting } from './registry-setting.ts'
import { type XmlElement, xmlTree } from './xml.ts'

type Found = Omit<RegistrySetting, 'from'>

/**
 * Reads NuGet.Config: package sources that are not disabled, their credentials, and which packages come from which source. A use is
 * `@HOW:KEY`, whose first part has the version of the protocol, and `i` if plain HTTP is allowed. Settings are `map:KEY` with patterns, and
 * `clear` if sources of files with lower precedence do not count.
 */
export function nugetUrls(text: string): Found[] {
  const config = xmlTree(text)
  if (config?.name !== 'configuration') return []
  const disabled = new Set(added(config, 'disabledPackageSources').flatMap(({ key, value }) => (isTrue(value) ? [key.toLowerCase()] : [])))
  const logins = new Map(inSection(config, 'packageSourceCredentials').map((each) => [decoded(each.name).toLowerCase(), each]))
  const found: Found[] = isCleared(config) ? [{ url: '', use: 'setting', variable: 'clear', text: '' }] : []
  for (const { key, value, protocolversion = '', allowinsecureconnections = '' } of added(config, 'packageSources')) {
    const login = logins.get(key.toLowerCase())
    logins.delete(key.toLowerCase())
    // Other sources are directories.
    if (disabled.has(key.toLowerCase()) || !/^https?:/i.test(value)) continue
    found.push({ url: value, use: `@${protocolversion}${isTrue(allowinsecureconnections) ? 'i' : ''}:${key}` })
    if (login !== undefined) found.push({ url: value, ...tokenOf(login) })
  }
  for (const each of inSection(config, 'packageSourceMapping')) {
    const patterns = each.children.flatMap(({ attributes }) => attributes['pattern'] ?? [])
    found.push({ url: '', use: 'setting', variable: `map:${attributesOf(each)['key'] ?? ''}`, text: patterns.join(',') })
  }
  // A project names the URLs of its own sources.
  return [...found, ...[...logins.values()].map((each): Found => ({ url: '', ...tokenOf(each) }))]
}

/** Returns the settings that count if several files have the same source, the first one. */
export function usedByNuget(found: readonly RegistrySetting[]): readonly RegistrySetting[] {
  const last = found.find(({ variable }) => variable === 'clear')?.from
  const end = last === undefined ? found.length : found.findLastIndex(({ from }) => from === last) + 1
  const places = new Map<string, string>()
  return found.slice(0, end).filter(({ use, variable, login, from }) => {
    if (variable === 'clear') return false
    const kind = use === 'token' ? `token:${login?.id}` : use === 'setting' ? `${variable}` : use.slice(use.indexOf(':'))
    if (!places.has(kind)) places.set(kind, from)
    return places.get(kind) === from
  })
}

/** Returns what the credentials of a source have: the user name, and the variable that the password names. An encrypted one is only known. */
function tokenOf(source: XmlElement): Pick<Found, 'variable' | 'login'> & { readonly use: 'token' } {
  const values = new Map(source.children.map(attributesOf).map(({ key = '', value = '' }) => [key.toLowerCase(), value]))
  const variable = /^%([A-Za-z_][A-Za-z0-9_]*)%$/.exec(values.get('cleartextpassword') ?? '')?.[1]
  const login = { id: decoded(source.name), user: values.get('username') ?? '' }
  return { use: 'token', login, ...(variable === undefined ? {} : { variable }) }
}

function isCleared(config: XmlElement): boolean {
  return inSection(config, 'packageSources').some(({ name }) => name === 'clear')
}

/** Returns what a section adds after its last `clear`. */
function added(
  config: XmlElement,
  section: string,
): readonly (Readonly<Record<string, string>> & { readonly key: string; readonly value: string })[] {
  const children = inSection(config, section)
  return children
    .slice(children.findLastIndex(({ name }) => name === 'clear') + 1)
    .filter(({ name }) => name === 'add')
    .map((each) => ({ key: '', value: '', ...attributesOf(each) }))
}

function inSection(config: XmlElement, section: string): readonly XmlElement[] {
  return config.children.filter(({ name }) => name === section).flatMap(({ children }) => children)
}

function attributesOf({ attributes }: XmlElement): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]))
}

function isTrue(value: string): boolean {
  return value.trim().toLowerCase() === 'true'
}

/** Returns the key of a source from the name of its element, in which other characters are `_xHHHH_`. */
function decoded(name: string): string {
  return name.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
