import { closeSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { walk } from '../../files/walk.ts'
import type { TarFile } from '../seal/seal-tar.ts'
import { writeArchive } from '../seal/write-archive.ts'

const [mostEntries, maxDepth] = [2_000_000, 65]

/**
 * Writes the only directory in `from` to `out`, as an archive or a directory. The output has a temporary name at first, so `out` is
 * always complete.
 */
export async function put(from: string, { format, out }: { readonly format: 'tar' | 'dir'; readonly out: string }): Promise<void> {
  const partial = path.join(path.dirname(out), `.${path.basename(out)}.partial`)
  await removeTree(partial)
  try {
    const copier = new HashedCopier()
    const all: TarFile[] = []
    for await (const entry of walk(from, { maxEntries: mostEntries, maxDepth })) {
      if (entry.kind !== 'file') continue
      const name = entry.names.map(String).join('/')
      all.push({ path: name, size: entry.lstat()?.size ?? 0, mode: '0644' })
      if (format === 'tar') continue
      const target = path.join(partial, name.slice(name.indexOf('/') + 1))
      await mkdir(path.dirname(target), { recursive: true })
      const descriptor = entry.open()
      try {
        await copier.copy(descriptor, target, 0o644, Number.MAX_SAFE_INTEGER)
      } finally {
        closeSync(descriptor)
      }
    }
    all.sort((a, b) => (a.path < b.path ? -1 : 1))
    if (format === 'tar') await writeArchive(from, all, partial)
    await rename(partial, out)
  } catch (error) {
    await removeTree(partial)
    throw error
  }
}
