import type { AgentAdapter } from '../adapters/adapter.ts'
import { endpointHosts, placeholderOf } from '../adapters/placeholders.ts'
import { PaddockError } from '../base/errors.ts'
import type { KeptSecret, SecretKeeper } from '../credentials/secret-keeper.ts'
import type { SecretWish } from '../credentials/secret-wish.ts'
import type { SecretPlace } from '../credentials/vault/vault-schema.ts'
import type { CellCredential, CredentialHost, CredentialPlace } from '../egress/placeholder/credential.ts'
import { matchesPattern } from '../egress/policy/host-pattern.ts'

/** The places in a request where a secret may be, if nothing else is configured. */
const usualPlaces: readonly CredentialPlace[] = [
  { kind: 'header', name: 'authorization', scheme: 'Bearer' },
  { kind: 'header', name: 'authorization', scheme: 'token' },
  { kind: 'basic', part: 'password' },
  { kind: 'header', name: 'x-api-key' },
  { kind: 'header', name: 'private-token' },
]

export interface BoundSecrets {
  readonly env: Readonly<Record<string, string>>
  readonly credentials: readonly CellCredential[]
}

/**
 * Creates placeholders for secrets from the vault and elsewhere. Each is bound to the hosts that the secret's store, the user and the
 * adapter all allow.
 * @throws PaddockError NOT_ALLOWED if a secret has no host that all of them allow, BAD_INPUT if no host is named
 */
export async function boundSecrets(
  wishes: readonly SecretWish[],
  agent: { readonly adapter: AgentAdapter | null; readonly baseUrl: string | null },
  keeper: SecretKeeper,
): Promise<BoundSecrets> {
  const env: Record<string, string> = {}
  const credentials: CellCredential[] = []
  for (const wish of wishes) {
    const kept = await keeper(wish.ref)
    const known = agent.adapter?.placeholders.keys[wish.name]
    const hosts = hostsOf(wish, kept, known === undefined ? null : endpointHosts(known, agent.baseUrl))
    const placeholder = placeholderOf(agent.adapter, wish.name, kept.secret)
    env[wish.name] = placeholder
    const places = kept.place === null ? (known?.places ?? usualPlaces) : [placeOf(kept.place)]
    const exclusive = known === undefined ? {} : { exclusive: true }
    credentials.push({ name: wish.name, ...exclusive, hosts, places, placeholders: () => [placeholder], secret: async () => kept.secret })
  }
  return { env, credentials }
}

function placeOf(place: SecretPlace): CredentialPlace {
  if (place.in === 'basic') return { kind: 'basic', part: 'password' }
  const { name } = place
  if (place.in === 'query') return { kind: 'query', name }
  return { kind: 'header', name, ...(place.scheme === undefined ? {} : { scheme: place.scheme }) }
}

function hostsOf(wish: SecretWish, kept: KeptSecret, used: readonly CredentialHost[] | null): readonly CredentialHost[] {
  const everywhere = (host: string): CredentialHost => ({ host, port: 443, tls: true, paths: ['/**'] })
  const within = (host: string, limits: readonly string[] | null): boolean => limits === null || limits.some((each) => covers(each, host))
  if (wish.hosts.length > 0) {
    const beyond = wish.hosts.find((each) => !within(each, kept.hosts))
    if (beyond !== undefined) throw notThere(wish, kept, beyond)
    return used === null ? wish.hosts.map(everywhere) : used.filter(({ host }) => within(host, wish.hosts))
  }
  if (used !== null) {
    const found = used.filter(({ host }) => within(host, kept.hosts))
    if (found.length === 0) throw notThere(wish, kept, used[0]?.host ?? '')
    return found
  }
  if (kept.hosts !== null) return kept.hosts.map(everywhere)
  throw new PaddockError('BAD_INPUT', `${wish.place} ${wish.name}: no allowed host is given.`, {
    hint: `Name its hosts: ${wish.name}=…@api.example.com`,
  })
}

function notThere({ place, name }: SecretWish, { hosts }: KeptSecret, beyond: string): PaddockError {
  return new PaddockError('NOT_ALLOWED', `${place}: ${name} may only be sent to ${hosts?.join(', ')}, not to ${beyond}.`, {
    hint: 'To allow the host: paddock vault set NAME --host HOST',
  })
}

/** Returns true if the first pattern matches every name that the second one matches. */
function covers(outer: string, inner: string): boolean {
  return outer === inner || matchesPattern(outer, inner) || (inner.startsWith('*.') && matchesPattern(outer, `x${inner.slice(1)}`))
}
