import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'

/** One entry of a git index. */
export interface IndexEntry {
  /** Path relative to the work tree. Bytes that are not UTF-8 are replaced, so such a path never equals a real one. */
  readonly path: string
  /** File type and permissions as in a tree: 0o100644, 0o100755, 0o120000, 0o160000; 0o40000 for a directory of a sparse index. */
  readonly mode: number
  /** Object ID in hexadecimal. */
  readonly id: string
  /** 0, or the side of a conflict (1 to 3). */
  readonly stage: number
  /** True if git does not touch the file in the work tree (git-update-index(1), `--skip-worktree`). */
  readonly skipsWorkTree: boolean
  /** The state of the file when git last compared it (`isFresh`). */
  readonly state: Buffer
}

const second = 1_000_000_000n
const extended = 0x4000
const skip = 0x4000

/**
 * Returns the entries of an index file of version 2, 3 or 4 (gitformat-index(5)), in its order. `idBytes`: the size of an object ID, 20 or 32.
 * Null if the bytes are not such an index, if a path leaves the work tree, or if most entries are in another file (split index).
 */
export function readIndex(bytes: Buffer, idBytes: 20 | 32): readonly IndexEntry[] | null {
  const entries = scan(bytes, idBytes)
  return entries?.every(isInWorkTree) === true ? entries : null
}

/** Returns true if git would write an entry of this index outside of the work tree, or into a git directory. */
export function leavesWorkTree(bytes: Buffer, idBytes: 20 | 32): boolean {
  return scan(bytes, idBytes)?.every(isInWorkTree) === false
}

/** A directory of a sparse index ends with a slash. */
function isInWorkTree({ path, mode }: IndexEntry): boolean {
  return isWorkTreePath(mode === 0o40000 ? path.replace(/\/$/, '') : path)
}

/**
 * Returns the index without the skip-worktree bits of the entries that `which` accepts, with a new checksum. Null under the same conditions
 * as `readIndex`, except that paths may leave the work tree.
 */
export function withoutSkipBits(bytes: Buffer, idBytes: 20 | 32, which: (entry: IndexEntry) => boolean): Buffer | null {
  return edited(bytes, idBytes, (copy, entry) => {
    const at = entry.moreFlagsAt
    if (entry.skipsWorkTree && which(entry)) copy.writeUInt16BE(copy.readUInt16BE(at) & ~skip, at)
  })
}

/**
 * Returns the index with the state of files that are known to have the content of their entries, like git-update-index(1), `--refresh`.
 * `statOf`: the state of such a file before it was read; undefined for all others. Null as for `withoutSkipBits`.
 */
export function withStats(bytes: Buffer, idBytes: 20 | 32, statOf: (entry: IndexEntry) => BigIntStats | undefined): Buffer | null {
  return edited(bytes, idBytes, (copy, entry) => {
    const stat = statOf(entry)
    if (stat !== undefined) for (const [field, value] of statFields(stat)) copy.writeUInt32BE(value, entry.at + field)
  })
}

/** Returns true if a file still has the state that git noted in its entry, so that git does not read the file to compare it. */
export function isFresh({ state }: IndexEntry, stat: BigIntStats): boolean {
  return statFields(stat).every(([field, value]) => state.readUInt32BE(field) === value)
}

/** Returns the fields of an entry that have the state of its file: offsets and values, of which git keeps 32 bits. */
function statFields({ ctimeNs, mtimeNs, dev, ino, uid, gid, size }: BigIntStats): readonly (readonly [number, number])[] {
  const values = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second, dev, ino, null, uid, gid, size]
  return values.flatMap((value, at) => (value === null ? [] : [[at * 4, Number(BigInt.asUintN(32, value))] as const]))
}

/** Returns a copy that `edit` has changed at each entry, with a new checksum. Null if the bytes are not an index. */
function edited(bytes: Buffer, idBytes: 20 | 32, edit: (copy: Buffer, scanned: Scanned) => void): Buffer | null {
  const found = scan(bytes, idBytes)
  if (found === null) return null
  const copy = Buffer.from(bytes)
  for (const each of found) edit(copy, each)
  const end = bytes.length - idBytes
  // All zeros: git was configured not to compute the checksum (git-config(1), index.skipHash).
  if (bytes.subarray(end).some((each) => each !== 0))
    createHash(idBytes === 20 ? 'sha1' : 'sha256')
      .update(copy.subarray(0, end))
      .digest()
      .copy(copy, end)
  return copy
}

/** Of many entries, only the paths are used. */
class Scanned implements IndexEntry {
  readonly #bytes: Buffer
  readonly #idBytes: number
  /** The offset of the entry. */
  readonly at: number
  readonly path: string
  readonly #flags: number
  /** The offset of the additional flags. Zero if they are absent. */
  readonly moreFlagsAt: number

  constructor(bytes: Buffer, idBytes: number, at: number, file: string, flags: number, moreFlagsAt: number) {
    this.#bytes = bytes
    this.#idBytes = idBytes
    this.at = at
    this.path = file
    this.#flags = flags
    this.moreFlagsAt = moreFlagsAt
  }

  get mode(): number {
    return this.#bytes.readUInt32BE(this.at + 24)
  }

  get id(): string {
    return this.#bytes.toString('hex', this.at + 40, this.at + 40 + this.#idBytes)
  }

  get stage(): number {
    return (this.#flags >> 12) & 3
  }

  get skipsWorkTree(): boolean {
    return this.moreFlagsAt > 0 && (this.#bytes.readUInt16BE(this.moreFlagsAt) & skip) !== 0
  }

  get state(): Buffer {
    return this.#bytes.subarray(this.at, this.at + 40)
  }
}

function scan(bytes: Buffer, idBytes: 20 | 32): readonly Scanned[] | null {
  if (bytes.length < 12 + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  if (version < 2 || version > 4) return null
  const end = bytes.length - idBytes
  const entries: Scanned[] = []
  let at = 12
  let name: Buffer = Buffer.alloc(0)
  for (let n = 0; n < count; n++) {
    const start = at
    const flagsAt = start + 40 + idBytes
    if (flagsAt + 4 > end) return null
    const flags = bytes.readUInt16BE(flagsAt)
    const isExtended = (flags & extended) !== 0
    if (isExtended && version < 3) return null
    at = flagsAt + (isExtended ? 4 : 2)
    let kept = 0
    if (version === 4) {
      const cut = variableLength(bytes, at, end)
      if (cut === null || cut.value > name.length) return null
      at = cut.next
      kept = name.length - cut.value
    }
    const nul = bytes.indexOf(0, at)
    if (nul < 0 || nul >= end) return null
    if (version === 4) name = Buffer.concat([name.subarray(0, kept), bytes.subarray(at, nul)])
    const file = version === 4 ? name.toString('utf8') : bytes.toString('utf8', at, nul)
    // Before version 4, one to eight NUL bytes follow, so that the length of the entry is a multiple of eight.
    at = version === 4 ? nul + 1 : start + ((nul - start + 8) & ~7)
    const moreFlagsAt = isExtended ? flagsAt + 2 : 0
    entries.push(new Scanned(bytes, idBytes, start, file, flags, moreFlagsAt))
  }
  return hasLink(bytes, at, end) ? null : entries
}

/** Returns true for a relative path that cannot leave a work tree or lead into a git directory (verify_path in git's read-cache.c). */
export function isWorkTreePath(file: string): boolean {
  // Names that are not empty and do not start with a dot need no closer look.
  if (!/(?:^|\/)(?:[./]|$)/.test(file)) return true
  return file.split('/').every((each) => each !== '' && each !== '.' && each !== '..' && !/^\.git[ .]*$/i.test(each))
}

/** Returns true if the extensions that start at an offset include the one of a split index. */
function hasLink(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) if (bytes.toString('latin1', at, at + 4) === 'link') return true
  return false
}

/** Reads a number as in the offsets of a pack (gitformat-pack(5)). Null if it is too large or not complete. */
function variableLength(bytes: Buffer, from: number, end: number): { readonly value: number; readonly next: number } | null {
  let value = 0
  for (let at = from; at < end && at < from + 5; at++) {
    const byte = bytes[at] ?? 0
    value = (at === from ? 0 : (value + 1) * 128) + (byte & 127)
    if (byte < 128) return { value, next: at + 1 }
  }
  return null
}
