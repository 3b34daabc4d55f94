import { isIP } from 'node:net'
import { PaddockError } from '../../base/errors.ts'
import type { Target, UpstreamProxy } from '../../egress/connection/dial.ts'
import { dialable, type Resolver } from '../../egress/dns/resolver.ts'
import { classifyAddress, type OwnAddresses, ownAddresses } from '../../egress/policy/addresses.ts'

/** An error for an event that could not be delivered. The message is one sentence and contains no text of the receiver. */
export class Undelivered extends Error {}

/**
 * Returns the URL of a receiver, normalized.
 * @throws PaddockError BAD_INPUT if the text is not an HTTP URL, contains credentials, or names an internal address
 */
export function receiverUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new PaddockError('BAD_INPUT', `${text} is not an https or http URL.`, { hint: 'For example https://hooks.example.com/paddock' })
  if (url.username !== '' || url.password !== '')
    throw new PaddockError('BAD_INPUT', 'The URL of a webhook cannot have a user name or a password.', {
      hint: 'The receiver checks the signature of each delivery',
    })
  const host = hostOf(url)
  const isLocal = /(?:^|\.)localhost$/.test(host)
  const { internal, kind } = isIP(host) === 0 ? { internal: isLocal, kind: 'loopback' } : classifyAddress(host, ownAddresses())
  if (internal)
    throw new PaddockError('BAD_INPUT', `${host} is an internal address (${kind}).`, { hint: 'A webhook reaches only public addresses' })
  url.hash = ''
  return url.href
}

/** Returns the host name or literal address of a URL. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** The dependencies of receiver look-ups. */
export interface Finding {
  readonly resolver: Resolver
  /** Returns the current addresses of this host. */
  readonly own: () => OwnAddresses
  /** The proxy through which this machine reaches other hosts. Default: connections are direct. */
  readonly upstream?: UpstreamProxy | null
}

/**
 * Looks up a receiver once, and returns the addresses to connect to.
 * @throws Undelivered if the receiver has no address, or only internal ones
 */
export async function targetsOf(url: URL, { resolver, own, upstream }: Finding, signal: AbortSignal): Promise<readonly Target[]> {
  const host = hostOf(url)
  const family = isIP(host)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const unresolved = family === 0 ? (upstream?.target(host, port, []) ?? null) : null
  const found =
    family === 0
      ? await resolver.resolve(host, signal).catch((error: unknown) => (unresolved === null ? noAddress(host, error, signal) : []))
      : []
  const addresses = family === 0 ? found : [{ address: host, family: family === 6 ? (6 as const) : (4 as const) }]
  const { allowed, refused } = dialable(addresses, { internal: false }, own())
  const [internal] = refused
  const proxied = allowed.length > 0 ? (upstream?.target(host, port, allowed) ?? null) : addresses.length === 0 ? unresolved : null
  if (proxied !== null) return [proxied]
  if (allowed.length > 0) return allowed.map((each) => ({ ...each, port }))
  if (internal === undefined) throw new Undelivered(`${host} has no address.`)
  throw new Undelivered(
    family === 0
      ? `${host} resolves to ${internal.address}, an internal address (${internal.kind}).`
      : `${host} is an internal address (${internal.kind}).`,
  )
}

function noAddress(host: string, error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted()
  throw new Undelivered(`${host} does not resolve (${codeOf(error)}).`)
}

/** Returns the code of a Node error, which is safe to show; the other side may have chosen the message. */
export function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'no code'
}
