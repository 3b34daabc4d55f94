import { Deadline } from './deadline.ts'
import type { Finding } from './finding.ts'
import { scanTree } from './scan-tree.ts'

export interface SurveyWish {
  /** Relative to the root: these are not shown to the cell, so they are not looked at. */
  readonly hidden?: readonly string[]
  /** For all of it; 300 unless told. */
  readonly ms?: number
}

/** What a tree seems to hold. */
export interface Survey {
  /** Files with what looks like secrets, those with a telling name first. */
  readonly files: readonly { readonly path: string; readonly secrets: number; readonly what: string }[]
  /** False: there was no time to look at all of it. */
  readonly isWhole: boolean
}

/** Files that usually hold secrets, by their path in small letters. */
const wellKnown =
  /(^|\/)(\.env(\.[^/]*)?|[^/]*\.env|\.npmrc|\.yarnrc(\.yml)?|\.pypirc|[._]netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.gitconfig|\.dockercfg|\.s3cfg|\.boto|id_(rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(pem|key|ppk|p12|pfx|jks|keystore|kdbx|tfvars|tfstate|ovpn|kubeconfig)|\.?credentials[^/]*|client_secret[^/]*\.json|[^/]*service[-_]?account[^/]*\.json|secrets?\.(json|ya?ml|toml|ini|properties|txt)|\.git\/config|\.docker\/config\.json|\.kube\/config|\.aws\/[^/]*|auth\.json|\.credentials\.json)$/
const notSecret = /\.(pub|example|sample|template)$/
const keyStore = /\.(p12|pfx|jks|keystore|kdbx|ppk)$/
/** Made by programs, large, and full of what only looks like a secret. */
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

/**
 * A quick look at a tree before a cell gets to see it: files at its root that usually hold secrets, then such files anywhere, then as many
 * of the others as there is time for. By the rules alone; follows no link. Never rejects for what is in the tree.
 */
export async function survey(root: string, wish: SurveyWish = {}): Promise<Survey> {
  const deadline = new Deadline(wish.ms ?? 300)
  const hidden = new Set(wish.hidden ?? [])
  const isOpen = (path: string): boolean => !hidden.has(path)
  const known = (path: string): boolean => wellKnown.test(path.toLowerCase()) && !notSecret.test(path.toLowerCase()) && isOpen(path)
  const closed = (path: string): boolean =>
    !isOpen(path) || (closedNames.has(path.slice(path.lastIndexOf('/') + 1)) && path.includes('/')) || closedNames.has(path)
  const seen = new Set<string>()
  const files = new Map<string, Finding[]>()
  let isWhole = true
  const stores = new Set<string>()
  const steps = [
    { depth: 0, entries: 5000, wanted: known },
    { depth: 12, entries: 50_000, wanted: known },
    { depth: 12, entries: 50_000, wanted: (path: string): boolean => isOpen(path) && !path.startsWith('.git/') },
  ]
  for (const { wanted, depth, entries } of steps) {
    if (deadline.passed) {
      isWhole = false
      break
    }
    const ms = deadline.left
    const fresh = (path: string): boolean => {
      if (seen.has(path) || !wanted(path)) return false
      seen.add(path)
      if (keyStore.test(path.toLowerCase())) stores.add(path)
      return true
    }
    const { findings, notLooked } = await scanTree(root, {
      inPlay: [],
      wanted: fresh,
      closed,
      bounds: { ...bounds, depth, entries, ms, rulesMs: ms },
    })
    for (const each of findings) files.set(each.path, [...(files.get(each.path) ?? []), each])
    if (depth > 0 && notLooked.some((each) => each.path === '.' || /no time|took too long/.test(each.why))) isWhole = false
  }
  const found = [...files].map(([path, all]) => ({ path, secrets: all.length, what: all[0]?.what ?? '' }))
  for (const path of stores) if (!files.has(path)) found.push({ path, secrets: 1, what: 'key store' })
  return { files: found, isWhole }
}
