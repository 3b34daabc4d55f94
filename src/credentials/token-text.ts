import { Secret } from '../secrets/secret.ts'

const maxLength = 65_536

/**
 * Returns a token from a file or an answer as a secret, or null if it does not have the form of a token. The value of a header field
 * contains no space, line break or control character (RFC 6750, section 2.1).
 */
export function tokenOf(name: string, value: unknown): Secret | null {
  if (typeof value !== 'string' || value === '' || value.length > maxLength || !/^[\x21-\x7e]+$/.test(value)) return null
  return Secret.fromText(name, value)
}

/** Returns a point in time from a file: milliseconds since the epoch, or seconds. Null for impossible values (0, NaN, after 2100). */
export function timeOf(value: unknown): Date | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null
  const ms = value < 100_000_000_000 ? value * 1_000 : value
  return ms < 4_102_444_800_000 ? new Date(ms) : null
}

/**
 * Returns the claims of a JSON Web Token (RFC 7519); empty for other values. They are not verified, because no code here relies on them.
 */
export function claimsOf(token: unknown): Readonly<Record<string, unknown>> {
  if (typeof token !== 'string' || token.length > maxLength) return {}
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return {}
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? (claims as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
