import { messageOf, PaddockError } from '../../base/errors.ts'
import type { CellCredential, TokenAnswer } from '../../egress/placeholder/credential.ts'
import { tokenError } from '../../egress/placeholder/renewal-answer.ts'
import { disposeLogin, type HostLogin, type LoginPlace, nameOfLogin } from '../agent-login.ts'
import type { LoginStore } from '../refresh/login-store.ts'
import { presentedToken } from '../refresh/presented.ts'
import type { Refresher } from '../refresh/refresher.ts'
import { hashOfToken, tokensOf } from '../token-hash.ts'

export interface LentRenewalParts {
  readonly login: HostLogin
  /** The store of the volume, which this process holds. */
  readonly store: LoginStore
  readonly refresher: Refresher
  /** The place where the OAuth client of the login's program is found. */
  readonly place: LoginPlace
  /** Hashes of all tokens that the cell was given. */
  readonly lent: Set<string>
}

/**
 * Returns the endpoint at which the gateway renews a lent login. The cell's request only triggers a renewal: this process composes the
 * request to the vendor with the volume's own refresh token, so that the new tokens belong to the same account, whatever the cell sent.
 * Null if Paddock does not know how to renew the login; the cell then reaches the vendor itself.
 */
export async function lentRenewal({ login, store, refresher, place, lent }: LentRenewalParts): Promise<CellCredential | null> {
  const current = async (): Promise<HostLogin> => {
    const found = await store.read()
    if (found === null) throw new PaddockError('LOGIN_NEEDED', `The login of ${nameOfLogin(login)} is gone from its volume.`)
    for (const each of tokensOf(found)) lent.add(each)
    return found
  }
  disposeLogin(await current())
  const client = login.refresh === null ? null : ((await login.format.client?.(login, place)) ?? null)
  if (client === null) return null
  const scope = client.scope ?? login.facts['scope']

  const renew = async (presented: string): Promise<TokenAnswer> => {
    const before = await current()
    try {
      if (before.refresh !== null && hashOfToken(before.refresh) === presented) refresher.rejected(before.access)
    } finally {
      disposeLogin(before)
    }
    const access = await refresher.access()
    const now = await current()
    try {
      if (!access.equals(now.access)) return tokenError('temporarily_unavailable', 'the renewed login is not stored yet')
      const left = now.expiresAt === null ? null : Math.max(0, Math.floor((now.expiresAt.getTime() - Date.now()) / 1_000))
      const idToken = now.others?.[0]
      return {
        status: 200,
        json: {
          token_type: 'Bearer',
          access_token: now.access.text(),
          ...(now.refresh === null ? {} : { refresh_token: now.refresh.text() }),
          ...(idToken === undefined ? {} : { id_token: idToken.text() }),
          ...(left === null ? {} : { expires_in: left }),
          ...(typeof scope === 'string' ? { scope } : {}),
        },
      }
    } finally {
      disposeLogin(now)
    }
  }

  const url = new URL(client.url)
  const answer = async (body: string): Promise<TokenAnswer> => {
    const token = presentedToken(body)
    const presented = token === null ? '' : hashOfToken(token)
    if (!lent.has(presented)) return tokenError('invalid_grant', `a cell with a volume can renew only the volume's own login`)
    try {
      return await renew(presented)
    } catch (error) {
      const final = error instanceof PaddockError && error.code === 'LOGIN_NEEDED'
      return tokenError(final ? 'invalid_grant' : 'temporarily_unavailable', messageOf(error))
    }
  }
  return {
    name: `${nameOfLogin(login)} login`,
    hosts: [],
    places: [],
    placeholders: () => [],
    secret: () => Promise.reject(new Error('the cell has this credential itself')),
    renewal: { host: url.hostname, paths: [url.pathname], answer },
  }
}
