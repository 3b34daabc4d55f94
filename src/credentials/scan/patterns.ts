import { type Secret, spellings } from '../../secrets/secret.ts'

/** One way in which a secret may stand in a file. */
export interface Pattern {
  readonly secret: string
  readonly bytes: Buffer
}

/** Shorter secrets, in bytes, would be found in ordinary text. */
export const shortestSecret = 8
/** The start of a long spelling stands for all of it. */
const longestPattern = 1024

/**
 * Every spelling of these secrets as bytes: those of `spellings` in UTF-8 (plain, JSON, percent-encoded, hex, base64), and UTF-16 of either
 * byte order. Those shorter than `shortestSecret` have none.
 */
export function patternsOf(secrets: readonly Secret[]): readonly Pattern[] {
  const found = new Map<string, Pattern>()
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    secret.use((bytes) => {
      for (const each of [bytes, ...spellingsOf(bytes)]) {
        if (each.length < shortestSecret) continue
        const pattern = Buffer.from(each.subarray(0, longestPattern))
        found.set(`${secret.name}\0${pattern.toString('latin1')}`, { secret: secret.name, bytes: pattern })
      }
    })
  }
  return [...found.values()]
}

function spellingsOf(bytes: Buffer): readonly Buffer[] {
  const plain = bytes.toString('utf8')
  const texts = [
    ...spellings(bytes),
    // As it stands where blanks are left out: a key whose lines were broken elsewhere.
    plain.replace(/[\t-\r ]/g, ''),
  ]
  const little = Buffer.from(plain, 'utf16le')
  return [...texts.map((each) => Buffer.from(each, 'utf8')), little, Buffer.from(little).swap16()]
}
