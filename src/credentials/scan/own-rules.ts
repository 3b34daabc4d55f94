import { looksSecret } from '../../secrets/looks-secret.ts'

/** A match of a rule: a range of the text. */
export interface RuleHit {
  readonly rule: string
  readonly what: string
  readonly start: number
  readonly end: number
}

/** A rule of Paddock's own, for secrets that the ready-made rules miss. Every pattern takes linear time. */
interface OwnRule {
  readonly rule: string
  readonly what: string
  /** A pattern for the path in lower case; absent: any path. */
  readonly where?: RegExp
  /** The pattern of the rule. If it has a group `value`, that group is the secret. */
  readonly pattern: RegExp
  readonly isValue?: (groups: Readonly<Record<string, string | undefined>>) => boolean
}

const settings = /(^|\/)(\.env(\.[^/]*)?|[^/]*\.env|\.?credentials(\.[^/]*)?|[^/]*\.(ini|properties|tfvars)|\.s3cfg|\.boto|\.flaskenv)$/
const template = /\.(example|sample|template|dist|tpl|defaults?)$/
const notTelling = /PUBLIC|_ID$|_URL$|_PATH$|_FILE$|_DIR$|_NAME$|_TYPE$|_TTL$/i
const placeholder = /^([x*.•-]+$|change|your|my-|<|\$|\{|example|todo|dummy|test|fake|replace|insert|none|null|true|false|undefined)/i

const ownRules: readonly OwnRule[] = [
  { rule: 'anthropic-login', what: 'anthropic login token', pattern: /sk-ant-(?:oat|ort)\d\d-[A-Za-z0-9_-]{20,200}/g },
  { rule: 'google-key', what: 'google api key', pattern: /AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g },
  {
    rule: 'private-key',
    what: 'private key',
    pattern: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s){1,4}[A-Za-z0-9+/]{40,80}/g,
  },
  { rule: 'url-token', what: 'token in a url', pattern: /\bhttps?:\/\/(?<value>[A-Za-z0-9_-]{20,200})@/g },
  {
    rule: 'setting',
    what: 'value of a setting',
    where: settings,
    pattern:
      /^[ \t]{0,20}(?:export[ \t]{1,8})?(?<name>[A-Za-z_][A-Za-z0-9_.-]{0,80})[ \t]{0,20}[=:][ \t]{0,20}["']?(?<value>[^\s"'#]{8,4096})/gm,
    isValue: ({ name = '', value = '' }) => looksSecret(name) && !notTelling.test(name) && !placeholder.test(value),
  },
  { rule: 'netrc', what: 'password for a host', where: /(^|\/)[._]netrc$/, pattern: /\bpassword[ \t\n]{1,8}(?<value>\S{4,200})/g },
  {
    rule: 'npmrc',
    what: 'password of a registry',
    where: /(^|\/)\.npmrc$/,
    pattern: /^(?:\/\/[^\s=]{1,200}:)?_(?:auth|authToken|password)[ \t]{0,8}=[ \t]{0,8}(?<value>\S{8,4096})/gm,
  },
  {
    rule: 'pgpass',
    what: 'password of a database',
    where: /(^|\/)\.pgpass$/,
    pattern: /^[^:\n#]{1,200}(?::[^:\n]{1,200}){3}:(?<value>[^\n]{4,200})$/gm,
  },
  {
    rule: 'docker-login',
    what: 'login of a registry',
    where: /(^|\/)(\.docker\/config\.json|\.dockercfg)$/,
    pattern: /"auth"\s{0,8}:\s{0,8}"(?<value>[A-Za-z0-9+/=]{12,4096})"/g,
  },
]

const mostHits = 200

/** Returns the matches of Paddock's own rules in a text. Some rules depend on `path`, with `/` between names. */
export function ownHits(path: string, text: string): readonly RuleHit[] {
  const file = path.toLowerCase()
  const hits: RuleHit[] = []
  for (const { rule, what, where, pattern, isValue } of ownRules) {
    if (where !== undefined && (!where.test(file) || template.test(file))) continue
    for (const match of text.matchAll(pattern)) {
      if (hits.length >= mostHits) return hits
      const groups = match.groups ?? {}
      if (isValue !== undefined && !isValue(groups)) continue
      const { value } = groups
      const start = value === undefined ? match.index : match.index + match[0].lastIndexOf(value)
      hits.push({ rule, what, start, end: start + (value ?? match[0]).length })
    }
  }
  return hits
}
