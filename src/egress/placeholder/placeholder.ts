import { randomInt } from 'node:crypto'
import { vendorPrefix } from '../../secrets/looks-secret.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const shortest = 32
const longest = 256

/** Returns random letters and digits that reveal nothing about any secret. */
export function randomLetters(count: number): string {
  return Array.from({ length: count }, () => letters[randomInt(letters.length)] ?? '').join('')
}

/**
 * Returns a worthless placeholder in the shape of a credential: the vendor's prefix, then random letters. It is as long as the credential,
 * unless that is very short or very long. Programs check shapes, and people recognise prefixes. `ending`: its last characters; random by
 * default.
 */
export function placeholderFor(real: string, ending = ''): string {
  const kept = vendorPrefix(real)
  return kept + randomLetters(Math.min(longest, Math.max(shortest, real.length - kept.length - ending.length))) + ending
}

/** Returns a JSON Web Token (RFC 7519) with these claims and a random signature. Programs can read it, but it cannot be verified. */
export function placeholderToken(claims: Readonly<Record<string, unknown>>): string {
  const part = (each: object): string => Buffer.from(JSON.stringify(each)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ ...claims, jti: randomLetters(shortest) })}.${randomLetters(86)}`
}
