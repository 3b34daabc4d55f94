import { PaddockError } from '../../base/errors.ts'
import { type NoProxyRule, readNoProxy } from './no-proxy.ts'

/** The key `egress.upstream` of the user's configuration. */
export interface UpstreamInput {
  /** The URL of the proxy, or `none` for no proxy whatever the environment says. */
  readonly proxy?: string | undefined
  readonly noProxy?: readonly string[] | undefined
  /** A reference to a secret USER:PASSWORD. */
  readonly auth?: string | undefined
  /** Files with certificates (PEM), as absolute paths. */
  readonly ca?: readonly string[] | undefined
}

/** A value with its origin: `egress.upstream.proxy`, or the name of a variable. */
export interface FromPlace<T> {
  readonly value: T
  readonly place: string
}

export interface ProxyAddress {
  /** The URL without a login, for people: `http://proxy.example:3128`. */
  readonly shown: string
  /** True if the connection to the proxy itself is encrypted. */
  readonly tls: boolean
  readonly host: string
  readonly port: number
  /** USER:PASSWORD of the URL; null: it contains none. */
  readonly login: string | null
}

/** The way out of this machine: what the user configured, and otherwise what the environment says, as other programs read it. */
export interface UpstreamSettings {
  /** Null: connections are direct. */
  readonly proxy: FromPlace<ProxyAddress> | null
  readonly noProxy: FromPlace<readonly NoProxyRule[]> & { readonly text: string }
  /** A reference to the secret with the login; null: the login of the URL, if there is one. */
  readonly auth: string | null
  readonly ca: readonly FromPlace<string>[]
  /** What is not used of the environment, in one sentence each. */
  readonly unused: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** In the order in which they apply. Hosts are mostly reached over TLS, so HTTP_PROXY comes last. */
const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY']
const certificateVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']
const hint = 'Write http://proxy.example:3128, or https:// if the proxy itself is reached over TLS'

/**
 * Returns the settings for connections of this machine. A key of the configuration replaces the variables for the same thing.
 * @throws PaddockError BAD_INPUT for a value of the configuration. Variables that cannot be used are left out, and named in `unused`.
 */
export function readUpstream(input: UpstreamInput, env: Environment): UpstreamSettings {
  const unused: string[] = []
  const proxy = input.proxy === undefined ? proxyOf(env, unused) : configuredProxy(input.proxy)
  const noProxy = noProxyOf(input, env)
  const { rules, unread } = readNoProxy(noProxy.value)
  for (const each of proxy === null ? [] : unread)
    unused.push(`${noProxy.place}: ${each} is not a host, an address or a range, so it matches nothing.`)
  const ca =
    input.ca === undefined
      ? certificateVariables.flatMap((place) => (env[place] ? [{ value: env[place], place }] : []))
      : input.ca.map((value) => ({ value, place: 'egress.upstream.ca' }))
  return { proxy, noProxy: { value: rules, place: noProxy.place, text: noProxy.value }, auth: input.auth ?? null, ca, unused }
}

function configuredProxy(text: string): UpstreamSettings['proxy'] {
  const place = 'egress.upstream.proxy'
  return text === 'none' ? null : { value: parseProxy(text, place), place }
}

function proxyOf(env: Environment, unused: string[]): UpstreamSettings['proxy'] {
  for (const place of proxyVariables) {
    const text = env[place]
    if (!text) continue
    try {
      // Other programs also read a proxy without a scheme.
      return { value: parseProxy(/^[a-z0-9+.-]+:\/\//i.test(text) ? text : `http://${text}`, place), place }
    } catch (error) {
      unused.push((error as Error).message)
    }
  }
  return null
}

function noProxyOf(input: UpstreamInput, env: Environment): FromPlace<string> {
  if (input.noProxy !== undefined) return { value: input.noProxy.join(','), place: 'egress.upstream.noProxy' }
  const place = env['no_proxy'] ? 'no_proxy' : 'NO_PROXY'
  return { value: env[place] ?? '', place }
}

/**
 * Parses the URL of a proxy.
 * @throws PaddockError BAD_INPUT, without the login that the text may contain
 */
export function parseProxy(text: string, place: string): ProxyAddress {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') throw new PaddockError('BAD_INPUT', `${place} is not the URL of a proxy.`, { hint })
  const tls = url.protocol === 'https:'
  if (!tls && url.protocol !== 'http:')
    throw new PaddockError('BAD_INPUT', `${place} names a proxy of ${url.protocol.slice(0, -1)}, which Paddock does not support.`, { hint })
  const login = url.username === '' && url.password === '' ? null : `${decoded(url.username)}:${decoded(url.password)}`
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { shown: `${url.protocol}//${url.hostname}:${port}`, tls, host, port, login }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
