import { hash } from 'node:crypto'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { type Entry, isLink } from '../../copy/manifest.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import type { PatchedFile, PatchSide } from '../../copy/reviewing/patch.ts'
import { readRegular } from '../../files/read-regular.ts'

/** The maximum size of the whole files that a patch or a branch needs in memory. */
const mostBytes = 256 * 1024 * 1024

/**
 * Reads both sides of a change: the old one from the files that participants started with, the new one from the submission.
 * @throws PaddockError FILES_FAILED if one of them has changed
 */
export async function sidesOf({ path: file, base, now }: Change, start: string, tree: string): Promise<PatchedFile> {
  return { path: file, old: await sideOf(base, start), now: await sideOf(now, tree) }
}

/** Reads one side in a directory. Throws FILES_FAILED if the bytes do not match the entry. */
export async function sideOf(entry: Entry | null, root: string): Promise<PatchSide | null> {
  if (entry === null) return null
  if (isLink(entry)) return { mode: '120000', bytes: Buffer.from(entry.target) }
  const file = path.join(root, entry.path)
  const read = await readRegular(file, mostBytes)
  if (read.ok && hash('sha256', read.bytes) === entry.sha256)
    return { mode: (entry.mode & 0o111) === 0 ? '100644' : '100755', bytes: read.bytes }
  const why = read.ok ? 'has changed' : read.why === 'too-large' ? 'is larger than 256 MiB' : `cannot be read (${read.why})`
  throw new PaddockError('FILES_FAILED', `${file} ${why}.`, {
    hint: 'Choose other files with --path, or apply to the files of the project: leave --branch and --patch out',
  })
}
