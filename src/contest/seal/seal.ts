import { hash } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { redact } from '../../base/errors.ts'
import type { Posture } from '../../base/posture.ts'
import { formatSize } from '../../base/quantities.ts'
import { printableName, utf8Text } from '../../base/text.ts'
import { findingText, inPlayRule, type ScanResult } from '../../credentials/scan/secret-finding.ts'
import { writeJson } from '../../files/atomic.ts'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { reasonOf, type WalkEntry, WalkTooLarge, walk } from '../../files/walk.ts'
import type { Seal, SealedFile } from './seal-schema.ts'
import { type TextSize, textSize } from './text-size.ts'
import { writeArchive } from './write-archive.ts'

export interface SealBounds {
  readonly maxFiles: number
  readonly maxBytes: number
}

export interface SealTarget {
  readonly directory: string
  readonly archive: string
  readonly seal: string
}

export const maxDepth = 64
export const maxPathBytes = 1024
const maxListed = 1000

class OverLimit extends Error {}

/**
 * Seals the files that a participant left in `source` as one archive that no program on the host can enter. The archive has only regular
 * files, with their contents and executable bits. Links, FIFOs, sockets and devices are left out and listed. A submission over its bounds,
 * or one in which `scan` finds a credential that was in play, is not kept; its seal has one sentence about the reason. An earlier
 * interrupted seal is removed first. `seal.json` is written last. `scratch` is a directory for the copy that is searched; it is removed
 * before and after.
 */
export async function sealSubmission(
  source: string,
  target: SealTarget,
  bounds: SealBounds,
  about: {
    attempt: number
    posture?: Posture
    now: Date
    scratch: string
    /** Paths that are not part of the submission. */
    without?: readonly string[]
    scan?: (directory: string) => Promise<ScanResult>
  },
): Promise<Seal> {
  await removeTree(target.directory)
  await removeTree(about.scratch)
  try {
    await mkdir(about.scratch, { recursive: true, mode: 0o700 })
    const sealing = new Sealing(about.scratch, bounds, about.without ?? [])
    const { state, message, secrets } = await takeAndScan(sealing, source, bounds, about)
    const files = state === 'sealed' ? sealing.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) : []
    const seal: Seal = {
      schemaVersion: 2,
      state,
      message,
      sealedAt: about.now.toISOString(),
      attempt: about.attempt,
      ...(about.posture === undefined ? {} : { posture: about.posture }),
      files,
      bytes: files.reduce((sum, each) => sum + each.size, 0),
      text: state === 'sealed' ? sealing.text : { lines: 0, words: 0 },
      tree: treeHash(files),
      dropped: sealing.dropped,
      droppedCount: sealing.droppedCount,
      ...(secrets === undefined ? {} : { secrets }),
    }
    await mkdir(target.directory, { recursive: true })
    await writeArchive(about.scratch, files, target.archive)
    await writeJson(target.seal, seal)
    return seal
  } finally {
    await removeTree(about.scratch)
  }
}

async function takeAndScan(
  sealing: Sealing,
  source: string,
  bounds: SealBounds,
  { scratch, scan }: Pick<Parameters<typeof sealSubmission>[3], 'scratch' | 'scan'>,
): Promise<Pick<Seal, 'state' | 'message' | 'secrets'>> {
  try {
    await sealing.take(source)
  } catch (error) {
    return { state: 'over-limit', message: overLimit(error, bounds) }
  }
  // The copy is scanned, because it no longer changes.
  const found = await scan?.(scratch)
  if (found === undefined) return { state: 'sealed', message: null }
  const secrets = recordOf(found)
  const message = leakIn(secrets)
  return { state: message === null ? 'sealed' : 'leaks', message, secrets }
}

function recordOf({ findings, more, notLooked, notLookedCount }: ScanResult): NonNullable<Seal['secrets']> {
  return { findings: [...findings], more, notLooked: [...notLooked], notLookedCount }
}

/** Returns a message about credentials in play, which must not reach judges or a report; null: none were found. */
function leakIn(secrets: Seal['secrets']): string | null {
  const found = (secrets?.findings ?? []).filter((each) => each.rule === inPlayRule)
  if (found.length === 0) return null
  const shown = found.slice(0, 5).map(findingText)
  if (found.length > shown.length) shown.push(`${found.length - shown.length} more places`)
  return `it contains a credential: ${shown.join('; ')}`
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
  text: TextSize = { lines: 0, words: 0 }
  readonly #out: string
  readonly #bounds: SealBounds
  readonly #without: readonly string[]
  readonly #copier = new HashedCopier()
  readonly #made = new Set<string>()
  #bytes = 0

  constructor(out: string, bounds: SealBounds, without: readonly string[]) {
    this.#out = out
    this.#without = without
    this.#bounds = bounds
  }

  async take(source: string): Promise<void> {
    for await (const entry of walk(source, { maxEntries: this.#bounds.maxFiles * 2 + 1000, maxDepth })) {
      const why = await this.#takeOne(entry)
      if (why !== null) this.#drop(entry, why)
    }
  }

  /** Returns why an entry is left out. Null: the entry is a sealed file, or a directory to descend into. */
  async #takeOne(entry: WalkEntry): Promise<string | null> {
    if (entry.notEntered !== undefined) return entry.notEntered
    const name = utf8Text(bytesOf(entry.names))
    if (name === null || Buffer.byteLength(name) > maxPathBytes) {
      entry.skip()
      return name === null ? 'its name is not UTF-8' : `its path is longer than ${maxPathBytes} bytes`
    }
    if (this.#without.includes(name)) {
      entry.skip()
      return null
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
    // Checked before the first byte is read, because a sparse file of ten gigabytes costs its writer nothing.
    if (facts.size > left) throw this.#tooManyBytes(name, facts.size)
    const executable = (facts.mode & 0o111) !== 0
    this.#makeParent(name)
    const copied = await this.#copier.copy(descriptor, path.join(this.#out, name), executable ? 0o755 : 0o644, left, {
      look: (bytes) => this.#count(textSize(bytes)),
    })
    if (copied === null) throw this.#tooManyBytes(name, null)
    this.#bytes += copied.size
    this.files.push({ path: name, ...copied, mode: executable ? '0755' : '0644' })
    return null
  }

  #count({ lines, words }: TextSize): void {
    this.text = { lines: this.text.lines + lines, words: this.text.words + words }
  }

  #makeParent(name: string): void {
    const parent = path.dirname(name)
    if (parent === '.' || this.#made.has(parent)) return
    mkdirSync(path.join(this.#out, parent), { recursive: true })
    this.#made.add(parent)
  }

  #tooManyBytes(name: string, size: number | null): OverLimit {
    const which = size === null ? '' : ` (with ${printableName(name)}, ${formatSize(size)})`
    return new OverLimit(`it has more than ${formatSize(this.#bounds.maxBytes)}${which}, which is what outputs.maxBytes allows`)
  }

  #drop(entry: WalkEntry, why: string): void {
    this.droppedCount += 1
    if (this.dropped.length < maxListed)
      this.dropped.push({
        path: redact(printableName(bytesOf(entry.names))),
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
  unknown: 'it is not a regular file',
} as const

/** Returns a path as bytes, with `/` between names. */
function bytesOf(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((each, index) => (index === 0 ? [each] : [slash, each])))
}
