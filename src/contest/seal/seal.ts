import { hash } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { findingText, inPlayRule, type ScanResult } from '../../credentials/scan/finding.ts'
import { redact } from '../../errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { syncTree } from '../../files/sync-tree.ts'
import { reasonOf, type WalkEntry, WalkTooLarge, walk } from '../../files/walk.ts'
import { formatSize } from '../../quantities.ts'
import { escapeName, nameOf } from '../names.ts'
import type { Seal, SealedFile } from './seal-schema.ts'

export interface SealBounds {
  readonly maxFiles: number
  readonly maxBytes: number
}

export interface SealTarget {
  readonly directory: string
  readonly out: string
  readonly seal: string
}

const maxDepth = 64
const maxPathBytes = 1024
const maxListed = 1000

class OverLimit extends Error {}

/**
 * Copies what a participant left in `source` to a place that no cell ever sees writable: regular files only, their
 * bytes and whether they are executable, nothing else. Links, FIFOs, sockets and devices are left out and named.
 * A submission over its bounds, or one in which `scan` finds a credential that was in play, is not kept; its seal says so in one sentence. An earlier seal that was interrupted is
 * thrown away first. `seal.json` is written last.
 */
export async function sealSubmission(
  source: string,
  target: SealTarget,
  bounds: SealBounds,
  about: { attempt: number; now: Date; scan?: (directory: string) => Promise<ScanResult> },
): Promise<Seal> {
  await rm(target.directory, { recursive: true, force: true })
  await mkdir(target.out, { recursive: true })
  const sealing = new Sealing(target.out, bounds)
  let message: string | null = null
  let state: Seal['state'] = 'sealed'
  let secrets: Seal['secrets']
  try {
    await sealing.take(source)
    // What was copied, which nobody changes any more.
    const found = await about.scan?.(target.out)
    if (found !== undefined) secrets = recordOf(found)
    message = leakIn(secrets)
    if (message !== null) state = 'leaks'
  } catch (error) {
    message = overLimit(error, bounds)
    state = 'over-limit'
  }
  if (message !== null) {
    await rm(target.out, { recursive: true, force: true })
    await mkdir(target.out, { recursive: true })
  }
  const files = message === null ? sealing.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) : []
  const seal: Seal = {
    schemaVersion: 1,
    state,
    message,
    sealedAt: about.now.toISOString(),
    attempt: about.attempt,
    files,
    bytes: files.reduce((sum, each) => sum + each.size, 0),
    tree: treeHash(files),
    dropped: sealing.dropped,
    droppedCount: sealing.droppedCount,
    ...(secrets === undefined ? {} : { secrets }),
  }
  await syncTree(target.directory)
  await writeJson(target.seal, seal)
  return seal
}

function recordOf({ findings, more, notLooked, notLookedCount }: ScanResult): NonNullable<Seal['secrets']> {
  return { findings: [...findings], more, notLooked: [...notLooked], notLookedCount }
}

/** What was in play must reach neither judges nor a report. */
function leakIn(secrets: Seal['secrets']): string | null {
  const found = (secrets?.findings ?? []).filter((each) => each.rule === inPlayRule)
  if (found.length === 0) return null
  const shown = found.slice(0, 5).map(findingText)
  if (found.length > shown.length) shown.push(`${found.length - shown.length} more places`)
  return `it holds a credential: ${shown.join('; ')}`
}

export function treeHash(files: readonly SealedFile[]): string {
  return hash('sha256', files.map((each) => `${each.mode} ${each.sha256} ${JSON.stringify(each.path)}\n`).join(''))
}

function overLimit(error: unknown, bounds: SealBounds): string {
  if (error instanceof OverLimit) return error.message
  if (error instanceof WalkTooLarge)
    return `it has more than ${bounds.maxFiles} files and ${error.entries} names in all; outputs.maxFiles allows ${bounds.maxFiles}`
  throw error
}

class Sealing {
  readonly files: SealedFile[] = []
  readonly dropped: { path: string; why: string }[] = []
  droppedCount = 0
  readonly #out: string
  readonly #bounds: SealBounds
  readonly #copier = new HashedCopier()
  readonly #made = new Set<string>()
  #bytes = 0

  constructor(out: string, bounds: SealBounds) {
    this.#out = out
    this.#bounds = bounds
  }

  async take(source: string): Promise<void> {
    for await (const entry of walk(source, { maxEntries: this.#bounds.maxFiles * 2 + 1000, maxDepth })) {
      const why = await this.#takeOne(entry)
      if (why !== null) this.#drop(entry, why)
    }
  }

  /** Null: taken, or a directory that is looked into; else why it is left out. */
  async #takeOne(entry: WalkEntry): Promise<string | null> {
    if (entry.notEntered !== undefined) return entry.notEntered
    const name = nameOf(entry.names)
    if (name === null || Buffer.byteLength(name) > maxPathBytes) {
      entry.skip()
      return name === null ? 'its name is not UTF-8' : `its path is longer than ${maxPathBytes} bytes`
    }
    if (entry.kind === 'directory') return null
    if (entry.kind !== 'file') return kindWords[entry.kind]
    if (this.files.length >= this.#bounds.maxFiles)
      throw new OverLimit(`it has more than ${this.#bounds.maxFiles} files, which is what outputs.maxFiles allows`)
    let descriptor: number
    try {
      descriptor = entry.open()
    } catch (error) {
      return reasonOf(error)
    }
    try {
      return await this.#copy(name, descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  async #copy(name: string, descriptor: number): Promise<string | null> {
    const facts = fstatSync(descriptor)
    if (!facts.isFile()) return 'changed while it was read'
    const left = this.#bounds.maxBytes - this.#bytes
    // Before the first byte: a sparse file of ten gigabytes costs its writer nothing.
    if (facts.size > left) throw this.#tooManyBytes(name, facts.size)
    const executable = (facts.mode & 0o111) !== 0
    this.#makeParent(name)
    const copied = await this.#copier.copy(descriptor, path.join(this.#out, name), executable ? 0o755 : 0o644, left)
    if (copied === null) throw this.#tooManyBytes(name, null)
    this.#bytes += copied.size
    this.files.push({ path: name, ...copied, mode: executable ? '0755' : '0644' })
    return null
  }

  #makeParent(name: string): void {
    const parent = path.dirname(name)
    if (parent === '.' || this.#made.has(parent)) return
    mkdirSync(path.join(this.#out, parent), { recursive: true })
    this.#made.add(parent)
  }

  #tooManyBytes(name: string, size: number | null): OverLimit {
    const which = size === null ? '' : ` (with ${escapeName(name)}, ${formatSize(size)})`
    return new OverLimit(`it has more than ${formatSize(this.#bounds.maxBytes)}${which}, which is what outputs.maxBytes allows`)
  }

  #drop(entry: WalkEntry, why: string): void {
    this.droppedCount += 1
    if (this.dropped.length < maxListed)
      this.dropped.push({
        path: redact(escapeName(Buffer.concat(entry.names.flatMap((each, index) => (index === 0 ? [each] : [slash, each]))))),
        why,
      })
  }
}

const slash = Buffer.from('/')
const kindWords = {
  symlink: 'it is a symbolic link',
  fifo: 'it is a FIFO',
  socket: 'it is a socket',
  device: 'it is a device',
  unknown: 'it is no regular file',
} as const
