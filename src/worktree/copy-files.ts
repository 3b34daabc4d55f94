import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, realpathSync, writeSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'
import { inDirectory } from '../files/in-directory.ts'
import { kindBelow } from '../files/kind-below.ts'

const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const making = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Copies files of a project to a work tree that does not have them. Returns those that could not be copied. `files`: relative paths. Cells may
 * write to both meanwhile, so what is opened is checked, and no link is followed.
 */
export function copyFiles(files: readonly string[], project: string, workTree: string): readonly string[] {
  const directory = realpathSync(workTree)
  return files.filter((each) => {
    const kind = kindBelow(directory, path.join(directory, each))
    if (kind !== null) return kind !== 'file'
    try {
      return !copyFile(project, directory, each)
    } catch (error) {
      if (['ENOENT', 'ELOOP', 'ENOTDIR', 'EEXIST', 'ENXIO'].includes(codeOf(error) ?? '')) return true
      throw error
    }
  })
}

/** Returns false if it is not a regular file. */
function copyFile(project: string, directory: string, file: string): boolean {
  const source = inDirectory(path.join(project, file), (safe) => openSync(safe, reading))
  try {
    const facts = fstatSync(source)
    if (!facts.isFile()) return false
    const names = file.split('/')
    for (let depth = 1; depth < names.length; depth++) inDirectory(path.join(directory, ...names.slice(0, depth)), makeDirectory)
    const target = inDirectory(path.join(directory, file), (safe) => openSync(safe, making, facts.mode & 0o777))
    try {
      const buffer = Buffer.alloc(Math.min(facts.size, 1024 ** 2))
      for (let at = 0; at < facts.size; ) {
        const size = readSync(source, buffer, 0, Math.min(buffer.length, facts.size - at), at)
        if (size === 0) break
        for (let written = 0; written < size; ) written += writeSync(target, buffer, written, size - written)
        at += size
      }
    } finally {
      closeSync(target)
    }
    return true
  } finally {
    closeSync(source)
  }
}

function makeDirectory(safe: string): void {
  try {
    mkdirSync(safe)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
