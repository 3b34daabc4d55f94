import { closeSync, fstatSync, readSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'
import { WalkTooLarge, walk } from '../files/walk.ts'
import type { WordWatch } from './secret-words.ts'

/** The amount of data in a tree that was searched. */
export interface Searched {
  readonly files: number
  readonly bytes: number
  /** False if a file or directory was too large, too deep or unreadable, so that a match may have been missed. */
  readonly whole: boolean
}

const bounds = { maxEntries: 500_000, maxDepth: 150 }
const maxBytes = 4 * 1024 ** 3
const pieceBytes = 1 << 20

/** Searches a tree that a cell could write to for secret texts: file contents, names and link targets. Never follows a link. */
export async function searchTree(name: string, root: string, watch: WordWatch): Promise<Searched> {
  let files = 0
  let bytes = 0
  let whole = true
  const piece = Buffer.alloc(pieceBytes)
  try {
    for await (const entry of walk(root, bounds)) {
      const at = path.posix.join(name, ...entry.names.map((each) => each.toString()))
      watch.look(`the name ${at}`, entry.names.at(-1) ?? Buffer.alloc(0))
      if (entry.notEntered !== undefined) whole = false
      try {
        if (entry.kind === 'symlink') watch.look(`the link ${at}`, entry.readlink())
        if (entry.kind !== 'file') continue
        const descriptor = entry.open()
        try {
          if (!fstatSync(descriptor).isFile()) continue
          files++
          const push = watch.at(at)
          for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece)) {
            bytes += read
            if (bytes > maxBytes) return { files, bytes, whole: false }
            push(piece.subarray(0, read))
          }
        } finally {
          closeSync(descriptor)
        }
      } catch {
        whole = false
      }
    }
  } catch (error) {
    if (!(error instanceof WalkTooLarge) && codeOf(error) === undefined) throw error
    whole = false
  }
  return { files, bytes, whole }
}
