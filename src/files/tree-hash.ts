import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync } from 'node:fs'
import { formatSize } from '../base/quantities.ts'
import { type WalkEntry, WalkTooLarge, walk } from './walk.ts'

/** Thrown if a part of a tree cannot be read, or if the tree is too large. The message continues a sentence about the tree. */
export class NotHashed extends Error {}

/**
 * Returns a SHA-256 over a directory: names, contents of files, whether they can be run, and targets of links. Links are not followed, and
 * other kinds of files count by their names. Throws `NotHashed`.
 */
export async function treeHash(root: string, bounds: { readonly maxEntries: number; readonly maxBytes: number }): Promise<string> {
  const lines: string[] = []
  let bytes = 0
  for await (const entry of entriesOf(root, bounds.maxEntries)) {
    if (entry.notEntered !== undefined) throw new NotHashed(`has a directory that cannot be read (${entry.notEntered})`)
    const name = Buffer.concat(entry.names.flatMap((each, index) => (index === 0 ? [each] : [Buffer.from('/'), each]))).toString('hex')
    if (entry.kind === 'symlink') lines.push(`${name} link ${entry.readlink().toString('hex')}`)
    if (entry.kind !== 'file') {
      lines.push(`${name} ${entry.kind}`)
      continue
    }
    const descriptor = entry.open()
    const facts = fstatSync(descriptor)
    bytes += facts.size
    if (bytes > bounds.maxBytes) {
      closeSync(descriptor)
      throw new NotHashed(`is larger than ${formatSize(bounds.maxBytes)}`)
    }
    const sum = createHash('sha256')
    for await (const part of createReadStream('', { fd: descriptor })) sum.update(part as Buffer)
    lines.push(`${name} file ${(facts.mode & 0o111) === 0 ? '' : 'x '}${sum.digest('hex')}`)
  }
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}

async function* entriesOf(root: string, maxEntries: number): AsyncGenerator<WalkEntry, void, void> {
  try {
    yield* walk(root, { maxEntries, maxDepth: 50 })
  } catch (error) {
    if (!(error instanceof WalkTooLarge)) throw error
    throw new NotHashed(`has more than ${maxEntries} files`)
  }
}
