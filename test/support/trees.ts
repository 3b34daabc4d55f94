import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { inject } from 'vitest'
import { isRoot } from './cli.ts'

const script = path.join(import.meta.dirname, '../../scripts/tree.sh')

export type Suite = 'bookworm' | 'trixie'

/** The packages that Paddock needs in a tree, besides those that every Debian has. */
export const needed: readonly string[] = ['bubblewrap', 'git', 'ca-certificates']

/** What the quick tests need besides (`scripts/setup.sh --test`), and programs that every desktop has. */
export const neededByTests: readonly string[] = [
  ...needed,
  ...['passt', 'nftables', 'iproute2', 'age', 'git-lfs', 'tmux', 'gcc', 'libc6-dev', 'acl', 'strace', 'fakeroot', 'openssh-client'],
  ...['python3', 'python3-junitparser', 'curl', 'openssl', 'procps', 'less', 'xxd', 'file', 'man-db'],
]

/** Returns why no tree can be made on this machine, or false if one can be made. */
export function noTrees(): string | false {
  if (!isRoot) return 'needs root: it makes a tree of a Debian release'
  const mirror = spawnSync(script, ['mirror'], { encoding: 'utf8' })
  return mirror.stdout.trim() === '' && 'the apt of this machine has no Debian mirror'
}

/** Makes the tree of a release with packages, which takes minutes unless it exists. Returns its directory. */
export function makeTree(suite: Suite, packages: readonly string[] = needed): string {
  return execFileSync(script, ['make', suite, ...packages], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

export interface InTree {
  readonly as: 'root' | 'user'
  /** Further options of `scripts/tree.sh enter`. */
  readonly options?: readonly string[]
}

export interface RanInTree {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a shell script in a tree, where `paddock` is the built command. */
export function inTree(tree: string, { as, options = [] }: InTree, text: string): RanInTree {
  const built = inject('copyForUsers')
  const asWho = as === 'user' ? ['--user'] : []
  const shell = ['sh', '-c', `paddock() { /opt/paddock/node /opt/paddock/bin/paddock.mjs "$@"; }\n${text}`]
  const ran = spawnSync(script, ['enter', ...asWho, '--bind', `${built}:/opt/paddock`, ...options, tree, ...shell], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}
