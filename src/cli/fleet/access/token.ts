import { PaddockError } from '../../../base/errors.ts'
import { resolvePaths } from '../../../base/paths.ts'
import { durationRule, parseDuration } from '../../../base/quantities.ts'
import { openStore, type Store } from '../../../fleet/store/fleet-store.ts'
import type { Role, Token } from '../../../fleet/store/token-store.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectedServer, type ServerOptions } from '../connect.ts'
import { fleetOf } from '../data-option.ts'

/** `paddock token create`: uses the server if one is running, else its data directly. Prints the secret, which is not stored. */
export async function createToken(
  name: string,
  options: ServerOptions & { readonly role: Role; readonly expires?: string },
): Promise<Answer<Result<'token create'>>> {
  const { role } = options
  const lifetime = options.expires === undefined ? null : parseDuration(options.expires)
  if (options.expires !== undefined && lifetime === null)
    throw new PaddockError('BAD_INPUT', `--expires ${options.expires} is not a duration.`, { hint: `Give ${durationRule}` })
  const expiresAt = lifetime === null ? null : new Date(Date.now() + lifetime).toISOString()
  const client = connectedServer(options)
  const made =
    client === null
      ? await inStore(options, (store) => flat(store.tokens.create({ name, role, expiresAt })))
      : answered(await client.POST('/api/v1/tokens', { body: { name, role, expiresAt } }))
  return { data: made, lines: [made.token] }
}

/** Runs `paddock token list`. */
export async function listTokens(options: ServerOptions): Promise<Answer<Result<'token list'>>> {
  const client = connectedServer(options)
  const items =
    client === null
      ? await inStore(options, (store) => store.tokens.list())
      : answered(await client.GET('/api/v1/tokens', { params: { query: { limit: 200 } } })).items
  return { data: { items }, lines: table(['NAME', 'ROLE', 'STATE', 'LAST USED', 'EXPIRES'], items.map(rowOf)) }
}

/** Runs `paddock token revoke`. */
export async function revokeToken(name: string, options: ServerOptions): Promise<Answer<Result<'token revoke'>>> {
  const client = connectedServer(options)
  const token =
    client === null
      ? await inStore(options, (store) => store.tokens.revoke(name))
      : answered(await client.POST('/api/v1/tokens/{token}/revoke', { params: { path: { token: name } } }))
  return { data: token, lines: [`${name} is revoked.`] }
}

/** Runs `act` without a server. Meanwhile this process owns the data. */
async function inStore<T>(options: ServerOptions, act: (store: Store) => T): Promise<T> {
  using store = await openStore(fleetOf(options.data, resolvePaths(process.env)))
  return act(store)
}

const flat = ({ token, secret }: { readonly token: Token; readonly secret: string }) => ({ token: secret, facts: token })

const rowOf = (each: Token): readonly string[] => [
  each.name,
  each.role,
  each.revokedAt === null ? (each.expiresAt !== null && each.expiresAt < new Date().toISOString() ? 'expired' : 'valid') : 'revoked',
  each.lastUsedAt ?? 'never',
  each.expiresAt ?? 'never',
]
