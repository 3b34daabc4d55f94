import type { RegistryLogin } from '../egress/policy/registry-setting.ts'
import { escapedXml } from '../egress/policy/xml.ts'

/** Maven's own mirror that refuses repositories without TLS, since Maven 3.8.1. */
const httpBlocker = { id: 'maven-default-http-blocker', mirrorOf: 'external:http:*', url: 'http://0.0.0.0/', blocked: 'true' }

/**
 * Returns Maven's settings.xml with these mirrors, repositories and servers, and nothing else. `others`: URLs, and `settings`: values, by
 * their use (`mavenUrls`). `tokens`: the variables with the passwords of servers.
 */
export function mavenXml(
  others: readonly { readonly use: string; readonly url: string }[],
  settings: Readonly<Record<string, string>>,
  tokens: readonly { readonly variable: string; readonly login?: RegistryLogin }[],
): string {
  const blocked = Object.entries(settings).flatMap(([name, mirrorOf]) =>
    name.startsWith('blocked:') ? [{ ...httpBlocker, id: name.slice('blocked:'.length), mirrorOf }] : [],
  )
  const named = [
    ...others.map(({ use, url }) => [use.slice(1), url] as const),
    ...Object.entries(settings).filter(([name]) => !name.startsWith('blocked:')),
  ].map(([use, url]) => {
    const [, kind = '', id = '', rest = ''] = /^(\w+):([^:]*):(.*)$/.exec(use) ?? []
    return { kind, id, rest, url }
  })
  const mirrors = [...named.filter(({ kind }) => kind === 'mirror').map(({ id, rest, url }) => ({ id, mirrorOf: rest, url })), ...blocked]
  const repositories = (kind: string): readonly string[] =>
    named
      .filter((each) => each.kind === kind)
      .map(({ id, rest, url }) => {
        const policy = (name: string): string => element(name, element('enabled', String(rest.includes(name.charAt(0)))))
        return element(kind, elements({ id, url }) + policy('releases') + policy('snapshots'))
      })
  const all = mirrors.some(({ id }) => id === httpBlocker.id) ? mirrors : [...mirrors, httpBlocker]
  const profile = [
    '<id>of-this-machine</id>',
    `<repositories>${repositories('repository').join('')}</repositories>`,
    `<pluginRepositories>${repositories('pluginRepository').join('')}</pluginRepositories>`,
  ]
  const servers = new Map(tokens.flatMap(({ variable, login }) => (login === undefined ? [] : [[login.id, server(variable, login)]])))
  return [
    '<settings>',
    ...(servers.size === 0 ? [] : [element('servers', [...servers.values()].join(''))]),
    '<mirrors>',
    ...all.map((each) => element('mirror', elements(each))),
    '</mirrors>',
    `<profiles>${element('profile', profile.join(''))}</profiles>`,
    '<activeProfiles><activeProfile>of-this-machine</activeProfile></activeProfiles>',
    '</settings>\n',
  ].join('\n')
}

function server(variable: string, { id, user, header }: RegistryLogin): string {
  const secret = `\${env.${variable}}`
  const content = elements({ id, ...(user === '' ? {} : { username: user }) })
  if (header === undefined) return element('server', content + elements({ password: secret }))
  const property = element('property', elements({ name: header, value: secret }))
  return element('server', content + element('configuration', element('httpHeaders', property)))
}

function elements(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, text]) => element(name, escapedXml(text)))
    .join('')
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}
