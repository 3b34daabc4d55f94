import { createHash } from 'node:crypto'
import type { Secret } from '../secrets/secret.ts'
import type { HostLogin } from './agent-login.ts'

/** Returns the hashes of a login's tokens, which identify its account at its vendor. */
export function tokensOf({ access, refresh }: Pick<HostLogin, 'access' | 'refresh'>): readonly string[] {
  return [access, ...(refresh === null ? [] : [refresh])].map(hashOfToken)
}

/** Returns an identifier of a token for places that must not contain the token itself. */
export function hashOfToken(token: Secret | string): string {
  const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  return typeof token === 'string' ? hash(Buffer.from(token)) : token.use(hash)
}
