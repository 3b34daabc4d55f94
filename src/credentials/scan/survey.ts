import { Deadline } from './deadline.ts'
import { scanTree } from './scan-tree.ts'
import type { Finding } from './secret-finding.ts'
import { RuleThread } from './secret-rules.ts'

export interface SurveyTree {
  readonly root: string
  /** Paths relative to the root that the cell does not see, so they are not searched. */
  readonly hidden: readonly string[]
}

/** The files in some trees that seem to contain secrets. */
export interface Survey {
  /** Files with text that looks like a secret; files with a well-known name come first. */
  readonly files: readonly { readonly root: string; readonly path: string; readonly secrets: number; readonly what: string }[]
  /** False: there was not enough time to search all trees completely. */
  readonly isWhole: boolean
}

/** A pattern for files that usually contain secrets, by path in lower case. */
const wellKnown =
  /(^|\/)(\.env(\.[^/]*)?|[^/]*\.env|\.npmrc|\.yarnrc(\.yml)?|\.pypirc|[._]netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.gitconfig|\.dockercfg|\.s3cfg|\.boto|id_(rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(pem|key|ppk|p12|pfx|jks|keystore|kdbx|tfvars|tfstate|ovpn|kubeconfig)|\.?credentials[^/]*|client_secret[^/]*\.json|[^/]*service[-_]?account[^/]*\.json|secrets?\.(json|ya?ml|toml|ini|properties|txt)|\.docker\/config\.json|\.kube\/config|\.aws\/[^/]*|auth\.json|\.credentials\.json)$/
const notSecret = /\.(pub|example|sample|template)$/
const keyStore = /\.(p12|pfx|jks|keystore|kdbx|ppk)$/
/** Directories made by programs, which are large and full of text that only looks like a secret. */
const closedNames: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  '__pycache__',
  'objects',
  'target',
  'dist',
  'build',
  '.next',
  'vendor',
])
const bounds = { findings: 500, ruleBytes: 256 * 1024, unpackedBytes: 0 }

const rootMs = 2000

/**
 * Scans trees quickly before a cell sees them. It starts with files at their roots that usually contain secrets. Until the time
 * is up (milliseconds, without the start of the rule thread), it continues with such files anywhere, and then with all others. Uses only
 * the rules; follows no link. Never rejects because of the trees' content.
 */
export async function survey(trees: readonly SurveyTree[], ms = 300): Promise<Survey> {
  await using rules = new RuleThread()
  await rules.ready()
  const looks = trees.map((each) => new Look(each, rules))
  for (const each of looks) await each.step({ depth: 0, entries: 5000, ms: rootMs, known: true })
  const deadline = new Deadline(ms)
  for (const known of [true, false]) for (const each of looks) await each.step({ depth: 12, entries: 50_000, ms: deadline.left, known })
  return { files: looks.flatMap((each) => each.files()), isWhole: looks.every((each) => each.isWhole) }
}

interface Step {
  readonly depth: number
  readonly entries: number
  readonly ms: number
  /** True: only files with a well-known name. */
  readonly known: boolean
}

class Look {
  isWhole = true
  readonly #root: string
  readonly #hidden: ReadonlySet<string>
  readonly #rules: RuleThread
  readonly #seen = new Set<string>()
  readonly #stores = new Set<string>()
  readonly #files = new Map<string, Finding[]>()

  constructor({ root, hidden }: SurveyTree, rules: RuleThread) {
    this.#root = root
    this.#hidden = new Set(hidden)
    this.#rules = rules
  }

  async step({ depth, entries, ms, known }: Step): Promise<void> {
    if (ms === 0) {
      this.isWhole = false
      return
    }
    const { notLooked } = await scanTree(this.#root, {
      inPlay: [],
      rules: this.#rules,
      wanted: (path) => this.#wants(path, known),
      closed: (path) => this.#hidden.has(path) || closedNames.has(path.slice(path.lastIndexOf('/') + 1)),
      found: (path, each) => this.#files.set(path, [...(this.#files.get(path) ?? []), each]),
      bounds: { ...bounds, depth, entries, ms, rulesMs: ms },
    })
    if (depth > 0 && notLooked.some((each) => each.path === '.' || /no time|took too long/.test(each.why))) this.isWhole = false
  }

  #wants(path: string, known: boolean): boolean {
    const name = path.toLowerCase()
    if (this.#seen.has(path) || this.#hidden.has(path)) return false
    if (known ? !wellKnown.test(name) || notSecret.test(name) : path.startsWith('.git/')) return false
    this.#seen.add(path)
    if (keyStore.test(name)) this.#stores.add(path)
    return true
  }

  files(): Survey['files'] {
    const root = this.#root
    const found = [...this.#files].map(([path, all]) => ({ root, path, secrets: all.length, what: all[0]?.what ?? '' }))
    for (const path of this.#stores) if (!this.#files.has(path)) found.push({ root, path, secrets: 1, what: 'key store' })
    return found
  }
}
