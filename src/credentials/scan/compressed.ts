import { fstatSync, readSync } from 'node:fs'
import { Readable, type Transform } from 'node:stream'
import { createGunzip, createInflateRaw, createZstdDecompress } from 'node:zlib'

/** A file inside a compressed one. */
export interface Member {
  /** The name of the file in the archive; null if it has no name. */
  readonly name: string | null
  /** The decompressed bytes. They end early with an error if the file is damaged. */
  readonly bytes: AsyncIterable<Buffer>
}

const piece = 256 * 1024
const mostMembers = 2000
const mostDirectoryBytes = 4 * 1024 * 1024

/**
 * Returns the members of a gzip (RFC 1952), zstd (RFC 8878) or zip file (APPNOTE 6.3.10), recognised by its first bytes and not by its
 * name; null for any other file. Members of members are not searched. Zip members are stored or deflated; others, and encrypted ones, are
 * left out. A damaged archive has fewer members or none.
 */
export function membersOf(descriptor: number, first: Buffer): readonly Member[] | null {
  if (first.length < 4) return null
  if (first[0] === 0x1f && first[1] === 0x8b)
    return [{ name: null, bytes: through(descriptor, 0, Number.POSITIVE_INFINITY, createGunzip()) }]
  if (first.readUInt32LE(0) === 0xfd2fb528)
    return [{ name: null, bytes: through(descriptor, 0, Number.POSITIVE_INFINITY, createZstdDecompress()) }]
  if (first.readUInt32LE(0) === 0x04034b50) return zipMembers(descriptor)
  return null
}

function zipMembers(descriptor: number): readonly Member[] {
  const { size } = fstatSync(descriptor)
  const end = readAt(descriptor, Math.max(0, size - 65_557), 65_557)
  const at = end.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (at < 0 || at + 22 > end.length) return []
  const length = Math.min(end.readUInt32LE(at + 12), mostDirectoryBytes)
  const directory = readAt(descriptor, end.readUInt32LE(at + 16), length)
  const members: Member[] = []
  for (let entry = 0; entry + 46 <= directory.length && members.length < mostMembers; ) {
    if (directory.readUInt32LE(entry) !== 0x02014b50) break
    const [flags, method, packed] = [
      directory.readUInt16LE(entry + 8),
      directory.readUInt16LE(entry + 10),
      directory.readUInt32LE(entry + 20),
    ]
    const nameLength = directory.readUInt16LE(entry + 28)
    const next = entry + 46 + nameLength + directory.readUInt16LE(entry + 30) + directory.readUInt16LE(entry + 32)
    const name = directory.toString('utf8', entry + 46, entry + 46 + nameLength)
    const local = directory.readUInt32LE(entry + 42)
    entry = next
    if ((flags & 1) !== 0 || (method !== 0 && method !== 8)) continue
    members.push({ name, bytes: zipMember(descriptor, local, packed, method) })
  }
  return members
}

async function* zipMember(descriptor: number, local: number, packed: number, method: number): AsyncGenerator<Buffer> {
  const header = readAt(descriptor, local, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) return
  const from = local + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (method === 0) yield* pieces(descriptor, from, packed)
  else yield* through(descriptor, from, packed, createInflateRaw())
}

async function* through(descriptor: number, from: number, length: number, by: Transform): AsyncGenerator<Buffer> {
  const source = Readable.from(pieces(descriptor, from, length))
  source.once('error', (error) => by.destroy(error))
  try {
    for await (const each of source.pipe(by)) yield each as Buffer
  } finally {
    source.destroy()
    by.destroy()
  }
}

function* pieces(descriptor: number, from: number, length: number): Generator<Buffer> {
  for (let at = from, left = length; left > 0; ) {
    const bytes = readAt(descriptor, at, Math.min(piece, left))
    if (bytes.length === 0) return
    yield bytes
    at += bytes.length
    left -= bytes.length
  }
}

/** Reads as many of the requested bytes as the file has. */
function readAt(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let size = 0
  while (size < length) {
    const read = readSync(descriptor, bytes, size, length - size, at + size)
    if (read === 0) break
    size += read
  }
  return bytes.subarray(0, size)
}
