import { parse } from 'smol-toml'
import type { RegistrySetting } from './registry-setting.ts'

type Found = Omit<RegistrySetting, 'from'>
type Table = Readonly<Record<string, unknown>>

/** Reads cargo's config.toml: what replaces the default registry, and the other registries. Sources in directories and git are left out. */
export function cargoUrls(text: string): Found[] {
  let config: Table
  try {
    config = parse(text)
  } catch {
    return []
  }
  const [sources, registries] = [tableAt(config, 'source'), tableAt(config, 'registries')]
  const found: Found[] = []
  const main = replacement(sources, registries)
  if (main !== null) found.push({ url: main, use: 'main' })
  for (const name of Object.keys(registries)) {
    const { index, token } = tableAt(registries, name)
    if (typeof index !== 'string' || !/^[\w-]+$/.test(name)) continue
    found.push({ url: index, use: `@${name}` })
    if (typeof token === 'string')
      found.push({ url: index, use: 'token', variable: `CARGO_REGISTRIES_${name.toUpperCase().replaceAll('-', '_')}_TOKEN` })
  }
  return found
}

/** Returns the URL of the registry that replaces the default one, through any number of replacements. */
function replacement(sources: Table, registries: Table): string | null {
  let name = tableAt(sources, 'crates-io')['replace-with']
  for (let steps = 0; typeof name === 'string' && steps < 10; steps++) {
    const { registry, 'replace-with': next } = tableAt(sources, name)
    const url = registry ?? tableAt(registries, name)['index']
    if (next === undefined) return typeof url === 'string' ? url : null
    name = next
  }
  return null
}

function tableAt(table: Table, key: string): Table {
  const value = Object.hasOwn(table, key) ? table[key] : undefined
  return typeof value === 'object' && value !== null ? (value as Table) : {}
}

/** Go's variables that say where modules come from. None of them holds a secret other than in a URL. */
export const goVariables = ['GOPROXY', 'GONOPROXY', 'GOSUMDB', 'GONOSUMDB', 'GOPRIVATE', 'GOINSECURE'] as const

/** Reads Go's file of variables (`go env GOENV`). */
export function goUrls(text: string): Found[] {
  return goVariables.flatMap((name) => {
    const value = text.match(new RegExp(`^${name}=(.*?)\\r?$`, 'm'))?.[1]
    return value === undefined ? [] : goVariable(name, value)
  })
}

/** Returns a variable as a setting, with the hosts that it names. */
export function goVariable(variable: (typeof goVariables)[number], text: string): Found[] {
  if (text === '') return []
  return [{ url: '', use: 'setting', variable, text }, ...goHosts(variable, text).map((url): Found => ({ url, use: 'main' }))]
}

/** Returns the URLs of proxies, or of the checksum database (`NAME+KEY URL`). */
export function goHosts(variable: string, text: string): string[] {
  if (variable === 'GOPROXY') return text.split(/[,|]/).flatMap((each) => (/^https?:/i.test(each.trim()) ? [each.trim()] : []))
  if (variable !== 'GOSUMDB' || text === 'off') return []
  const [name = '', url = `https://${name.split('+')[0]}`] = text.trim().split(/\s+/)
  return [url]
}

/** Reads .gemrc (YAML): the list `:sources:`. */
export function gemUrls(text: string): Found[] {
  const list = /^:?sources:\s*\r?\n((?:\s*-.*(?:\r?\n|$))+)/m.exec(text)?.[1] ?? ''
  return [...list.matchAll(/-\s*["']?(https?:[^"'\s]+)/g)].map(([, url = ''], index) => ({ url, use: index === 0 ? 'main' : 'more' }))
}

/** Reads bundler's config (one `KEY: value` on each line): mirrors, and for which hosts it has a password. */
export function bundlerUrls(text: string): Found[] {
  return [...text.matchAll(/^(BUNDLE_[^\s#]+):\s+["']?([^"'\r\n]+)["']?\s*$/gm)].flatMap(([, key = '', value = '']) =>
    bundlerVariable(key, value),
  )
}

/** Returns what a key of bundler's config, or a variable of the same name, says about registries. */
export function bundlerVariable(key: string, value: string): Found[] {
  // The key of a mirror contains the URL that it replaces, in upper case.
  if (/^BUNDLE_MIRROR__\S*@/.test(key)) return []
  if (/^BUNDLE_MIRROR__\S+$/.test(key) && !key.endsWith('__FALLBACK_TIMEOUT')) return [{ url: value, use: `@${key}` }]
  const host = key.slice('BUNDLE_'.length).replaceAll('___', '-').replaceAll('__', '.').toLowerCase()
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) ? [{ url: `https://${host}/`, use: 'token', variable: key }] : []
}
