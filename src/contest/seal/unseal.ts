import { closeSync, constants, mkdirSync, openSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { Pause } from '../../files/pause.ts'
import { escapeName } from '../names.ts'
import type { Seal } from './seal-schema.ts'

/** The one moment that every file of a laid-out submission claims to be from: times tell who wrote when. */
const noTime = new Date('2000-01-01T00:00:00Z')

/**
 * Copies a sealed submission into `target`, which must not exist, and checks each file against the seal on the way.
 * `rename` gives the path that a file appears under. Throws FILES_FAILED where the sealed files are no longer what the
 * seal says.
 */
export async function unseal(
  sealedOut: string,
  seal: Seal,
  target: string,
  rename: (file: string) => string = (file) => file,
): Promise<void> {
  const copier = new HashedCopier()
  const pause = new Pause()
  const directories = new Set<string>()
  mkdirSync(target, { recursive: true })
  for (const file of seal.files) {
    await pause.now()
    const to = rename(file.path)
    for (let parent = path.dirname(to); parent !== '.' && !directories.has(parent); parent = path.dirname(parent)) directories.add(parent)
    const destination = path.join(target, to)
    mkdirSync(path.dirname(destination), { recursive: true })
    const copied = await copyOne(copier, path.join(sealedOut, file.path), destination, file.mode === '0755' ? 0o755 : 0o644, file.size)
    if (copied?.sha256 !== file.sha256 || copied.size !== file.size) throw changed(sealedOut, file.path)
    utimesSync(destination, noTime, noTime)
  }
  for (const each of directories) utimesSync(path.join(target, each), noTime, noTime)
  utimesSync(target, noTime, noTime)
}

async function copyOne(
  copier: HashedCopier,
  from: string,
  to: string,
  mode: number,
  size: number,
): Promise<{ size: number; sha256: string } | null> {
  let source: number
  try {
    source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    return await copier.copy(source, to, mode, size)
  } finally {
    closeSync(source)
  }
}

function changed(sealedOut: string, file: string): PaddockError {
  return new PaddockError('FILES_FAILED', `${path.join(sealedOut, escapeName(file))} is not what was sealed`, {
    hint: `delete ${path.dirname(sealedOut)} and run the contest again: it is sealed anew from the attempt`,
  })
}
