import { closeSync, constants, mkdirSync, openSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { Pause } from '../../files/pause-between.ts'
import { ArchiveChanged, readArchive } from './read-archive.ts'
import type { Seal, SealedFile } from './seal-schema.ts'

/** The modification time of every file of a laid-out submission, because real times could reveal the author. */
export const noTime = new Date('2000-01-01T00:00:00Z')

/** The paths of a sealed submission's contents. */
export interface SealedPlace {
  readonly directory: string
  readonly archive: string
  /** The directory that seals of version 1 use instead of an archive. */
  readonly out: string
}

/**
 * Unpacks a sealed submission into `target`, which must not exist, and checks each file against the seal. `rename` returns the
 * new path of a file. Throws FILES_FAILED if the sealed files no longer match the seal.
 */
export async function unseal(
  sealed: SealedPlace,
  seal: Seal,
  target: string,
  rename: (file: string) => string = (file) => file,
): Promise<void> {
  const directories = new Set<string>()
  const files: string[] = []
  mkdirSync(target, { recursive: true })
  const place = ({ path: from }: SealedFile): string => {
    const to = rename(from)
    for (let parent = path.dirname(to); parent !== '.' && !directories.has(parent); parent = path.dirname(parent)) directories.add(parent)
    const destination = path.join(target, to)
    mkdirSync(path.dirname(destination), { recursive: true })
    files.push(destination)
    return destination
  }
  try {
    if (seal.schemaVersion === 1) await copyDirectory(sealed.out, seal.files, place)
    else await readArchive(sealed.archive, seal.files, place)
  } catch (error) {
    if (!(error instanceof ArchiveChanged) && !isMissing(error)) throw error
    throw new PaddockError('FILES_FAILED', `${sealed.directory} does not contain what was sealed.`, {
      hint: 'Restore it, or start over with --fresh',
      cause: error,
    })
  }
  for (const each of files) utimesSync(each, noTime, noTime)
  for (const each of directories) utimesSync(path.join(target, each), noTime, noTime)
  utimesSync(target, noTime, noTime)
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ELOOP', 'ENOTDIR'].includes(codeOf(error) ?? '')

/** Copies a submission that was sealed as a directory of files. */
async function copyDirectory(out: string, files: readonly SealedFile[], place: (file: SealedFile) => string): Promise<void> {
  const copier = new HashedCopier()
  const pause = new Pause()
  for (const file of files) {
    await pause.now()
    const source = openSync(path.join(out, file.path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const copied = await copier.copy(source, place(file), file.mode === '0755' ? 0o755 : 0o644, file.size)
      if (copied?.sha256 !== file.sha256 || copied.size !== file.size) throw new ArchiveChanged()
    } finally {
      closeSync(source)
    }
  }
}
