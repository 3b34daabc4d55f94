import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** What vendors' credentials begin with (their documentation; GitHub: "Behind GitHub's new authentication token formats", 2021). */
const prefix = /^(?:sk-ant-[a-z]{2,8}\d{2}-|sk-(?:proj|svcacct|or-v1)-|sk-|AIza|xai-|gsk_|gh[pousr]_|github_pat_|glpat-|ya29\.|r8_|hf_)/
const shortest = 32
const longest = 256

/** Random letters and digits: nothing else that anybody holds can be told from them. */
export function randomLetters(count: number): string {
  return Array.from({ length: count }, () => letters[randomInt(letters.length)] ?? '').join('')
}

/**
 * A worthless stand-in of the shape of a credential: the vendor's prefix, then random letters, as long as the real one where that is
 * neither short nor huge. Programs check shapes, and people read prefixes.
 */
export function standInFor(real: string): string {
  const kept = prefix.exec(real)?.[0] ?? ''
  return kept + randomLetters(Math.min(longest, Math.max(shortest, real.length - kept.length)))
}

/** A JSON Web Token (RFC 7519) of these claims whose signature is random: read by programs, refused by whoever checks. */
export function standInToken(claims: Readonly<Record<string, unknown>>): string {
  const part = (each: object): string => Buffer.from(JSON.stringify(each)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ ...claims, jti: randomLetters(shortest) })}.${randomLetters(86)}`
}
