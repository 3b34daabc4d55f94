import { closeSync } from 'node:fs'
import { codeOf } from '../../base/errors.ts'
import { reasonOf, type WalkEntry, WalkTooLarge, walk } from '../../files/walk.ts'
import type { Secret } from '../../secrets/secret.ts'
import { SecretSearch } from '../../secrets/secret-search.ts'
import { Deadline } from './deadline.ts'
import { inPlay, type ScanMeans, scanFile } from './scan-file.ts'
import { type Finding, inPlayRule, type ScanResult, shownPath } from './secret-finding.ts'
import { RuleThread } from './secret-rules.ts'

export interface ScanWish {
  /** Credentials in play, whose exact values are searched for. */
  readonly inPlay: readonly Secret[]
  /** The thread that runs the rules. Default: a new one. */
  readonly rules?: RuleThread
  /** Selects files by path relative to the root; absent: every file. */
  readonly wanted?: (path: string) => boolean
  /** Called with every finding and its unchanged path, including findings that are only counted. */
  readonly found?: (path: string, finding: Finding) => void
  /** Returns true for directories that are not entered; absent: all directories are entered. */
  readonly closed?: (path: string) => boolean
  readonly bounds?: Partial<ScanBounds>
}

export interface ScanBounds {
  /** The maximum number of entries of all kinds in the tree. */
  readonly entries: number
  /** The maximum depth of directories. */
  readonly depth: number
  readonly ms: number
  readonly rulesMs: number
  /** The maximum number of findings in play, and separately of findings by rules. */
  readonly findings: number
  /** The maximum size of a text that is searched with the rules. */
  readonly ruleBytes: number
  /** The maximum number of decompressed bytes, over all files. */
  readonly unpackedBytes: number
}

const MiB = 1024 ** 2
const usual: ScanBounds = {
  entries: 500_000,
  depth: 190,
  ms: 300_000,
  rulesMs: 60_000,
  findings: 200,
  ruleBytes: MiB,
  unpackedBytes: 1024 * MiB,
}
const mostListed = 100

/**
 * Searches a tree that an agent may have filled with anything for credentials in play, and for text that matches a rule. Follows no
 * link and reads only regular files. Names are searched for credentials in play, too. Never rejects because of the tree's content. Reports
 * the parts that it could not search.
 */
export async function scanTree(root: string, wish: ScanWish): Promise<ScanResult> {
  const bounds = { ...usual, ...wish.bounds }
  using exact = new SecretSearch(wish.inPlay)
  await using own = new RuleThread()
  const means: ScanMeans = {
    exact,
    rules: wish.rules ?? own,
    deadline: new Deadline(bounds.ms),
    rulesDeadline: new Deadline(bounds.rulesMs),
    ruleBytes: bounds.ruleBytes,
    unpacked: bounds.unpackedBytes,
  }
  const result = new Gathered(bounds.findings)
  try {
    for await (const entry of walk(root, { maxEntries: bounds.entries, maxDepth: bounds.depth })) {
      if (means.deadline.passed) {
        result.notLookedAt('.', 'there was no time left for all of it')
        break
      }
      await scanEntry(entry, wish, means, result)
    }
  } catch (error) {
    if (!(error instanceof WalkTooLarge) && !isSystemError(error)) throw error
    result.notLookedAt('.', error instanceof WalkTooLarge ? `it has ${error.message}` : reasonOf(error))
  }
  return result.all()
}

async function scanEntry(entry: WalkEntry, wish: ScanWish, means: ScanMeans, result: Gathered): Promise<void> {
  const bytes = Buffer.concat(entry.names.flatMap((each, index) => (index === 0 ? [each] : [slash, each])))
  const path = bytes.toString('utf8')
  if (entry.notEntered !== undefined) return result.notLookedAt(path, entry.notEntered)
  if (entry.kind === 'directory' && wish.closed?.(path) === true) return entry.skip()
  if (entry.kind !== 'directory' && wish.wanted?.(path) === false) return
  // Only the last name, because the names of its directories have been searched before.
  const name = entry.names.at(-1) ?? bytes
  const named = [...new Set(means.exact.in(name).map((each) => each.secret))].map((each) => inPlay(path, each))
  result.add(named, 0)
  for (const each of named) wish.found?.(path, each)
  if (entry.kind !== 'file') return
  let descriptor: number
  try {
    descriptor = entry.open()
  } catch (error) {
    return result.notLookedAt(path, reasonOf(error))
  }
  try {
    const { findings, more, notLooked } = await scanFile(descriptor, path, means)
    result.files++
    result.add(findings, more)
    for (const each of findings) wish.found?.(path, each)
    for (const why of notLooked) result.notLookedAt(path, why)
  } catch (error) {
    if (!isSystemError(error)) throw error
    result.notLookedAt(path, reasonOf(error))
  } finally {
    closeSync(descriptor)
  }
}

const isSystemError = (error: unknown): boolean => typeof codeOf(error) === 'string'
const slash = Buffer.from('/')

class Gathered {
  /** Findings in play, kept separately so that many other findings cannot hide them. */
  readonly #inPlay: Finding[] = []
  readonly #others: Finding[] = []
  readonly #notLooked: { path: string; why: string }[] = []
  readonly #most: number
  #more = 0
  #notLookedCount = 0
  files = 0

  constructor(most: number) {
    this.#most = most
  }

  add(findings: readonly Finding[], more: number): void {
    this.#more += more
    for (const each of findings) {
      const list = each.rule === inPlayRule ? this.#inPlay : this.#others
      if (list.length < this.#most) list.push(each)
      else this.#more++
    }
  }

  notLookedAt(path: string, why: string): void {
    this.#notLookedCount++
    if (this.#notLooked.length < mostListed) this.#notLooked.push({ path: shownPath(path), why })
  }

  all(): ScanResult {
    return {
      findings: [...this.#inPlay, ...this.#others],
      more: this.#more,
      notLooked: this.#notLooked,
      notLookedCount: this.#notLookedCount,
      files: this.files,
    }
  }
}
