import { createHash, randomBytes } from 'node:crypto'
import { PaddockError } from '../../src/base/errors.ts'
import { newId } from '../../src/fleet/ids.ts'
import type { Token, Tokens } from '../../src/fleet/store/token-store.ts'

/** Returns tokens for tests of the server that need no database. */
export function tokensInMemory(): Tokens {
  const all = new Map<string, Token & { readonly hash: string }>()
  const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex')
  const isGood = (token: Token): boolean =>
    token.revokedAt === null && (token.expiresAt === null || Date.parse(token.expiresAt) > Date.now())
  const bare = ({ hash: _, ...token }: Token & { readonly hash: string }): Token => token
  return {
    create(wish) {
      if ([...all.values()].some((each) => each.name === wish.name && each.revokedAt === null))
        throw new PaddockError('CONFLICT', `A token with the name ${wish.name} exists.`, { hint: `Run: paddock token revoke ${wish.name}` })
      const secret = `pdk_${randomBytes(32).toString('base64url')}`
      const token = { id: newId('token'), ...wish, createdAt: new Date().toISOString(), revokedAt: null, lastUsedAt: null, lease: null }
      all.set(token.id, { ...token, hash: hash(secret) })
      return { token, secret }
    },
    check(secret) {
      const found = [...all.values()].find((each) => each.hash === hash(secret))
      return found === undefined || !isGood(found) ? null : bare(found)
    },
    get: (id) => {
      const found = all.get(id)
      return found === undefined ? null : bare(found)
    },
    list: () => [...all.values()].map(bare),
    revoke(nameOrId) {
      const found = all.get(nameOrId) ?? [...all.values()].find((each) => each.name === nameOrId)
      if (found === undefined) throw new PaddockError('NOT_FOUND', `There is no token ${nameOrId}.`)
      const revoked = { ...found, revokedAt: new Date().toISOString() }
      all.set(found.id, revoked)
      return bare(revoked)
    },
  }
}
