/**
 * A pattern for names of secrets. It also matches inside a name (`apiKey`), except for words that contain it by chance. `PWD` and `OLDPWD`
 * are directories (POSIX), and GIT_CONFIG_KEY_0 is the name of a git setting.
 */
const secretName =
  /TOKEN(?!I[SZ])|(?<!MON|DON|^GIT_CONFIG_)KEY(?!BOARD|WORD)|SECRET|PASSW|(?<!^|^OLD)PWD|CREDENTIAL|AUTH(?!ORS?(?:_|$))|DSN/i
const tokenShaped = /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_.+=~-]{20,}$/

/** Returns true for the name of a secret variable or setting (`GITHUB_TOKEN`, `db.password`), or for a value in the form of a secret. */
export function looksSecret(name: string, value = ''): boolean {
  return secretName.test(name) || tokenShaped.test(value)
}

/**
 * Prefixes of vendors' credentials, with patterns for the minimum that follows (their documentation; GitHub: "Behind GitHub's new
 * authentication token formats", 2021).
 */
const vendors: readonly (readonly [prefix: string, rest: string])[] = [
  ['sk-(?:ant-[a-z]{2,8}\\d{2}-|(?:proj|svcacct|or-v1)-)?', '[A-Za-z0-9_-]{16,}'],
  ['[pr]k-', '[A-Za-z0-9_-]{16,}'],
  ['gh[pousr]_', '[A-Za-z0-9]{20,}'],
  ['github_pat_', '[A-Za-z0-9_]{20,}'],
  ['glpat-', '[A-Za-z0-9_-]{20,}'],
  ['AIza', '[A-Za-z0-9_-]{30,}'],
  ['ya29\\.', '[A-Za-z0-9_-]{20,}'],
  ['xai-', '[A-Za-z0-9_-]{20,}'],
  ['gsk_', '[A-Za-z0-9]{20,}'],
  ['r8_', '[A-Za-z0-9]{20,}'],
  ['hf_', '[A-Za-z0-9]{20,}'],
  ['xox[abprs]-', '[A-Za-z0-9-]{10,}'],
]
const jsonWebToken = 'eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*'
const prefix = new RegExp(`^(?:${vendors.map(([start]) => start).join('|')})`)
const token = new RegExp(`\\b(?:${[...vendors.map((each) => each.join('')), jsonWebToken].join('|')})`, 'g')

/** Returns the prefix that a vendor's credentials of this kind share (`sk-ant-api03-`); empty if none is known. */
export function vendorPrefix(credential: string): string {
  return prefix.exec(credential)?.[0] ?? ''
}

/** Fields of HTTP, logs and settings whose names end so. Their values are masked only in the form of a token. */
const secretField = /\b((?:[\w-]*[_-])?(?:token|api[_-]?key|secret|password):[ \t]+)([^\s,;"']+)/gi

/**
 * Returns a text with everything in the form of a credential masked: vendors' tokens, passwords in URLs, names in URLs that are tokens
 * (`https://TOKEN:@host`), Authorization fields, and tokens in fields such as `PRIVATE-TOKEN: …`.
 */
export function maskShapes(text: string): string {
  return text
    .replace(/(:\/\/[^\s/:@]+:)[^\s/@]+@/g, '$1[redacted]@')
    .replace(/(:\/\/)([^\s/:@]+)(?=(?::[^\s/@]*)?@)/g, (whole, start: string, name: string) =>
      tokenShaped.test(name) ? `${start}[redacted]` : whole,
    )
    .replace(/(:\/\/)[^\s/:@]+(?=:@)/g, '$1[redacted]')
    .replace(/\b(authorization:\s*(?:bearer|basic)\s+)\S+/gi, '$1[redacted]')
    .replace(secretField, (whole, field: string, value: string) => (tokenShaped.test(value) ? `${field}[redacted]` : whole))
    .replace(token, '[redacted]')
}
