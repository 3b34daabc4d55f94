import { closeSync, constants, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { openBelow } from '../../files/open-below.ts'
import type { Blob } from './blob-pack.ts'
import { CannotTravel, type TreeEntry } from './tree-manifest.ts'

/** Returns the path of one file for each content of a tree. */
export function filesByHash(entries: readonly TreeEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.flatMap(({ kind, hash, path }) => (kind === 'file' ? [[hash, path] as const] : [])))
}

/**
 * Reads contents of a tree that other programs may be changing, without following links. The caller checks their hashes.
 * @throws CannotTravel for a hash that no file had; the system's error for a file that is gone
 */
export async function* contentsOf(root: string, files: ReadonlyMap<string, string>, wanted: Iterable<string>): AsyncGenerator<Blob> {
  for (const hash of wanted) {
    const path = files.get(hash)
    if (path === undefined) throw new CannotTravel('has no such content')
    const descriptor = openFile(root, path)
    const { size } = fstatSync(descriptor)
    // A file that grows meanwhile is read up to its size: its hash is another one then.
    const bytes = createReadStream('', { fd: descriptor, start: 0, end: Math.max(0, size - 1) })
    try {
      yield { hash, size, bytes }
    } finally {
      bytes.destroy()
    }
  }
}

/** Returns the first bytes of a file of a tree, without following links. @throws the system's error if it cannot be read */
export function readBelow(root: string, path: string, most: number): Buffer {
  const descriptor = openFile(root, path)
  try {
    const bytes = Buffer.alloc(most)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, most, 0))
  } finally {
    closeSync(descriptor)
  }
}

function openFile(root: string, path: string): number {
  const names = path.split('/').map((name) => Buffer.from(name, 'latin1'))
  const parent = openBelow(root, names.slice(0, -1))
  try {
    const name = Buffer.concat([Buffer.from(`/proc/self/fd/${parent}/`), names.at(-1) ?? Buffer.alloc(0)])
    return openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } finally {
    closeSync(parent)
  }
}
