import { createHash } from 'node:crypto'
import { closeSync, constants, createReadStream, fstatSync, openSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod'
import { WalkTooLarge, walk } from '../../files/walk.ts'
import type { TreeStamps } from './tree-stamps.ts'

/** One name of a tree. Paths and link targets have the bytes of the file system as characters (`latin1`), so that any name can travel. */
export interface TreeEntry {
  /** Relative to the root, with `/` between the names. */
  readonly path: string
  readonly kind: 'file' | 'directory' | 'symlink'
  /** The permission bits; set-user-ID, set-group-ID and the sticky bit do not travel. 0 for a symbolic link. */
  readonly mode: number
  /** Milliseconds since the epoch. */
  readonly mtime: number
  /** The size of a file in bytes, or else 0. */
  readonly size: number
  /** The SHA-256 of a file's content, or else empty. */
  readonly hash: string
  /** The target of a symbolic link, or else empty. */
  readonly target: string
}

/** The names of a tree, parents first and sorted by their bytes. */
export interface TreeManifest {
  readonly entries: readonly TreeEntry[]
  /** Paths of sockets, FIFOs and devices, which do not travel. */
  readonly left: readonly string[]
  /** Number of files with several names. Each name travels as a file of its own. */
  readonly hardLinked: number
}

export interface ManifestBounds {
  readonly maxEntries: number
  readonly maxBytes: number
}

/** Thrown if a tree cannot travel. The message continues a sentence about the tree. */
export class CannotTravel extends Error {}

/**
 * Reads a tree that other programs may be changing, without following links. A file that changes while it is read has the hash of what
 * was read. Rejects with `CannotTravel` if the tree is too large, or a part of it cannot be read.
 * @param root absolute path of a directory without links in it.
 * @param stamps files that need not be read again. Those that are read are noted.
 */
export async function manifestOf(root: string, bounds: ManifestBounds, stamps?: TreeStamps): Promise<TreeManifest> {
  const entries: TreeEntry[] = []
  const left: string[] = []
  let [bytes, hardLinked] = [0, 0]
  try {
    for await (const each of walk(root, { maxEntries: bounds.maxEntries, maxDepth: 200, isUnlinked: true })) {
      const path = each.names.map((name) => name.toString('latin1')).join('/')
      if (each.notEntered !== undefined) throw new CannotTravel(`has a directory that ${each.notEntered}: ${path}`)
      const began = Date.now()
      const stat = each.lstat()
      if (stat === null) continue
      const entry = { path, mode: stat.mode & 0o777, mtime: Math.floor(stat.mtimeMs), size: 0, hash: '', target: '' }
      if (each.kind === 'directory') entries.push({ ...entry, kind: 'directory' })
      else if (each.kind === 'symlink') entries.push({ ...entry, kind: 'symlink', mode: 0, target: each.readlink().toString('latin1') })
      else if (each.kind === 'file') {
        const known = stamps?.hashOf(path, stat)
        const read = known === undefined ? await contentOf(each.open(), bounds.maxBytes - bytes) : { stat, size: stat.size, hash: known }
        if (known === undefined) stamps?.note(path, read.stat, read.hash, began)
        bytes += read.size
        if (bytes > bounds.maxBytes) throw new CannotTravel('is too large')
        if (read.stat.nlink > 1) hardLinked++
        entries.push({ ...entry, kind: 'file', size: read.size, hash: read.hash })
      } else left.push(path)
    }
  } catch (error) {
    if (error instanceof WalkTooLarge) throw new CannotTravel(`has more than ${bounds.maxEntries} files`)
    throw error
  }
  return { entries: entries.toSorted(byPath), left: left.toSorted(), hardLinked }
}

/** Reads a single file as a tree with one entry. @throws CannotTravel if it is too large */
export async function manifestOfFile(file: string, bounds: ManifestBounds): Promise<TreeManifest> {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const { stat, size, hash: sum } = await contentOf(descriptor, bounds.maxBytes)
  const path = Buffer.from(basename(file)).toString('latin1')
  const entry = { path, mode: stat.mode & 0o777, mtime: Math.floor(stat.mtimeMs), size, hash: sum, target: '' }
  return { entries: [{ ...entry, kind: 'file' }], left: [], hardLinked: stat.nlink > 1 ? 1 : 0 }
}

async function contentOf(
  descriptor: number,
  room: number,
): Promise<{ readonly stat: Stats; readonly size: number; readonly hash: string }> {
  const stat = fstatSync(descriptor)
  if (stat.size > room) {
    closeSync(descriptor)
    throw new CannotTravel('is too large')
  }
  const sum = createHash('sha256')
  let size = 0
  for await (const part of createReadStream('', { fd: descriptor })) {
    const bytes = part as Buffer
    sum.update(bytes)
    size += bytes.length
    if (size > room) throw new CannotTravel('is too large')
  }
  return { stat, size, hash: sum.digest('hex') }
}

/** Orders paths so that a directory comes before what is in it. */
function byPath(one: TreeEntry, other: TreeEntry): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0
}

/** Returns the SHA-256 of a manifest, which is the same for the same tree on every machine. */
export function manifestHash({ entries }: Pick<TreeManifest, 'entries'>): string {
  const sum = createHash('sha256')
  for (const each of entries) sum.update(`${factsOf(each)}\n`)
  return sum.digest('hex')
}

const latin1 = z
  .string()
  .max(4_096)
  .regex(/^[\u0001-\u00ff]*$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const facts = { path: latin1, mtime: z.int().min(-8.64e15).max(8.64e15) }
const mode = z.int().min(0).max(0o777)
const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...facts, kind: z.literal('file'), mode, size: z.int().min(0), hash, target: z.literal('') }),
  z.strictObject({ ...facts, kind: z.literal('directory'), mode, size: z.literal(0), hash: z.literal(''), target: z.literal('') }),
  z.strictObject({
    ...facts,
    kind: z.literal('symlink'),
    mode: z.literal(0),
    size: z.literal(0),
    hash: z.literal(''),
    target: latin1.min(1),
  }),
])

/**
 * Returns the entries of a manifest from another machine. Every path is below the root, no name is `.`, `..` or empty, every parent is a
 * directory of the same manifest, and nothing comes twice.
 * @throws CannotTravel with the first entry that is not so
 */
export function readManifest(value: unknown, bounds: ManifestBounds): readonly TreeEntry[] {
  if (!Array.isArray(value)) throw new CannotTravel('is not a list of entries')
  if (value.length > bounds.maxEntries) throw new CannotTravel(`has more than ${bounds.maxEntries} files`)
  const directories = new Set([''])
  const entries: TreeEntry[] = []
  let [last, bytes] = ['', 0]
  for (const each of value) {
    const read = entrySchema.safeParse(each)
    if (!read.success) throw new CannotTravel(`has an entry that cannot be read: ${shown(each)}`)
    const entry = read.data
    const names = entry.path.split('/')
    if (names.some((name) => name === '' || name === '.' || name === '..' || name.length > 255) || names.length > 200)
      throw new CannotTravel(`has a path that is not below it: ${shown(each)}`)
    if (entry.path <= last) throw new CannotTravel(`has entries that are not sorted: ${shown(each)}`)
    if (!directories.has(names.slice(0, -1).join('/')))
      throw new CannotTravel(`has an entry whose parent is not a directory: ${shown(each)}`)
    if (entry.kind === 'directory') directories.add(entry.path)
    bytes += entry.size
    if (bytes > bounds.maxBytes) throw new CannotTravel('is too large')
    last = entry.path
    entries.push(entry)
  }
  return entries
}

const differenceSchema = z.strictObject({ changed: z.array(z.looseObject({ path: latin1 })), gone: z.array(latin1) })

/** Returns an entry of somebody else in one short line without control characters. */
function shown(entry: unknown): string {
  const path = typeof entry === 'object' && entry !== null && 'path' in entry ? entry.path : entry
  return JSON.stringify(path ?? null).slice(0, 200)
}

/**
 * Returns the entries that a tree has after a difference that another machine reports. They are checked like a whole manifest.
 * @throws CannotTravel
 */
export function afterDifference(before: readonly TreeEntry[], value: unknown, bounds: ManifestBounds): readonly TreeEntry[] {
  const read = differenceSchema.safeParse(value)
  if (!read.success) throw new CannotTravel('has a difference that cannot be read')
  const now = new Map<string, unknown>(before.map((each) => [each.path, each]))
  for (const each of read.data.gone) now.delete(each)
  for (const each of read.data.changed) now.set(each.path, each)
  const sorted = [...now].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  return readManifest(
    sorted.map(([, entry]) => entry),
    bounds,
  )
}

/** What is different in a tree: entries that are new or changed, parents first, and paths that are gone, children first. */
export interface TreeDifference {
  readonly changed: readonly TreeEntry[]
  readonly gone: readonly string[]
}

/** Compares two manifests of one tree. */
export function differenceOf(before: readonly TreeEntry[], after: readonly TreeEntry[]): TreeDifference {
  const known = new Map(before.map((each) => [each.path, each]))
  const now = new Map(after.map((each) => [each.path, each]))
  const isSame = (one: TreeEntry, other: TreeEntry | undefined): boolean => other !== undefined && factsOf(one) === factsOf(other)
  return {
    changed: after.filter((each) => !isSame(each, known.get(each.path))),
    gone: before
      .filter(({ path, kind }) => now.get(path)?.kind !== kind)
      .map(({ path }) => path)
      .toReversed(),
  }
}

/** Returns an entry as a text that is the same on every machine. The time of a directory or a link says nothing that its entries do not. */
function factsOf({ path, kind, mode, mtime, size, hash, target }: TreeEntry): string {
  return JSON.stringify([path, kind, mode, kind === 'file' ? mtime : 0, size, hash, target])
}
