import type { RegistryLogin } from '../egress/policy/registry-setting.ts'
import { escapedXml } from '../egress/policy/xml.ts'

/** The source that NuGet itself adds to a new home. */
const ownSource = 'nuget.org'

/**
 * Returns a NuGet.Config with these sources, and nothing else. `others`: URLs, and `settings`: values, by their use (`nugetUrls`).
 * `tokens`: the variables with the passwords of sources.
 */
export function nugetConfig(
  others: readonly { readonly use: string; readonly url: string }[],
  settings: Readonly<Record<string, string>>,
  tokens: readonly { readonly variable: string; readonly login?: RegistryLogin }[],
): string {
  const sources = others.map(({ use, url }) => {
    const [, protocolVersion = '', insecure = '', key = ''] = /^@(\w*?)(i?):(.*)$/s.exec(use) ?? []
    const how = { ...(protocolVersion === '' ? {} : { protocolVersion }), ...(insecure === '' ? {} : { allowInsecureConnections: 'true' }) }
    return { key, value: url, ...how }
  })
  const logins = new Map(tokens.flatMap(({ variable, login }) => (login === undefined ? [] : [[login.id, { variable, user: login.user }]])))
  const mapped = Object.entries(settings).flatMap(([name, patterns]) =>
    name.startsWith('map:') ? [[name.slice('map:'.length), patterns.split(',')] as const] : [],
  )
  const hasOwn = sources.some(({ key }) => key.toLowerCase() === ownSource)
  return [
    '<configuration>',
    section(
      'packageSources',
      sources.map((each) => empty('add', each)),
    ),
    section(
      'packageSourceCredentials',
      [...logins].map(([id, { variable, user }]) => {
        const values = [empty('add', { key: 'Username', value: user }), empty('add', { key: 'ClearTextPassword', value: `%${variable}%` })]
        return section(encoded(id), values)
      }),
    ),
    section('disabledPackageSources', hasOwn || sources.length === 0 ? [] : [empty('add', { key: ownSource, value: 'true' })]),
    section(
      'packageSourceMapping',
      mapped.map(([key, patterns]) => {
        const content = patterns.map((pattern) => empty('package', { pattern })).join('')
        return `<packageSource key="${escapedXml(key)}">${content}</packageSource>`
      }),
    ),
    '</configuration>\n',
  ]
    .filter((each) => each !== '')
    .join('\n')
}

function section(name: string, content: readonly string[]): string {
  return content.length === 0 ? '' : `<${name}>${content.join('')}</${name}>`
}

function empty(name: string, attributes: Readonly<Record<string, string>>): string {
  return `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escapedXml(value)}"`)
    .join(' ')} />`
}

/** Returns the name of the element for a source, in which other characters are `_xHHHH_`. */
function encoded(key: string): string {
  const code = (each: string): string => `_x${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  return key.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)|[^\w.-]/g, code).replace(/^[^A-Za-z_]/, code)
}
