import { closeSync, fstatSync, mkdirSync, readSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { type WalkEntry, WalkTooLarge, walk } from '../../files/walk.ts'
import { isGitName, pathOf } from '../copy-names.ts'
import { mostIgnoreBytes, projectBounds } from './copy-bounds.ts'

const mostIgnoreBytesInAll = 32 * 1024 ** 2
const ignoreName = '.gitignore'
const why = `it is not a plain file of at most ${mostIgnoreBytes / 1024 ** 2} MB`

/** Returns true for the name of git's ignore files. */
export function isIgnoreFile(name: string): boolean {
  return path.posix.basename(name) === ignoreName
}

/**
 * The ignore files of a tree that was in a cell. Git opens every ignore file that it finds, and would wait at a FIFO or read a
 * huge file whole. Git therefore gets a separate tree that contains exactly these bytes and nothing else.
 */
export class IgnoreFiles {
  readonly #files: { readonly path: string; readonly bytes: Buffer }[] = []
  /** Notes on ignore files whose rules are not applied, with the reasons. */
  readonly notes: string[] = []
  #bytes = 0

  /** Reads an ignore file at the current entry of a walk. */
  take(name: string, entry: WalkEntry): void {
    if (entry.kind === 'directory') return
    const bytes = entry.kind === 'file' ? readBounded(entry) : null
    if (bytes === null) this.#refuse(name, why)
    else if (this.#bytes + bytes.length > mostIgnoreBytesInAll) this.#refuse(name, 'all of them together are too large')
    else {
      this.#bytes += bytes.length
      this.#files.push({ path: name, bytes })
    }
  }

  /** Writes the files into an empty directory. */
  writeInto(directory: string): void {
    for (const { path: name, bytes } of this.#files) {
      try {
        mkdirSync(path.dirname(path.join(directory, name)), { recursive: true, mode: 0o700 })
        writeFileSync(path.join(directory, name), bytes, { flag: 'wx', mode: 0o600 })
      } catch (error) {
        if (codeOf(error) !== 'ENAMETOOLONG') throw error
        this.#refuse(name, 'its path is too long')
      }
    }
  }

  #refuse(name: string, reason: string): void {
    if (this.notes.length < 100) this.notes.push(`the rules of ${name} do not count: ${reason}`)
  }
}

function readBounded(entry: WalkEntry): Buffer | null {
  let descriptor: number
  try {
    descriptor = entry.open()
  } catch {
    return null
  }
  try {
    const facts = fstatSync(descriptor)
    if (!facts.isFile() || facts.size > mostIgnoreBytes) return null
    const bytes = Buffer.alloc(facts.size)
    let size = 0
    for (let read = 1; read > 0 && size < bytes.length; size += read) read = readSync(descriptor, bytes, size, bytes.length - size, size)
    return bytes.subarray(0, size)
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Checks the ignore files of a project before git walks through it, because an earlier agent may have written them.
 * @throws PaddockError `NOT_ALLOWED` with the name of a file that git should not open
 */
export async function refuseIgnoreFiles(project: string): Promise<void> {
  try {
    for await (const entry of walk(project, projectBounds)) {
      const last = String(entry.names.at(-1))
      if (isGitName(last)) entry.skip()
      if (last !== ignoreName || entry.kind === 'directory') continue
      const name = pathOf(entry.names)
      if (name === null || isHarmless(path.join(project, name), entry)) continue
      throw new PaddockError('NOT_ALLOWED', `${project} is not copied: git would read ${name}, and ${why}.`, {
        hint: 'Delete it; or copy everything, without asking git: --copy-ignored',
      })
    }
  } catch (error) {
    // Not an error, because git has its own limits, and far fewer files may be wanted.
    if (!(error instanceof WalkTooLarge)) throw error
  }
}

/** Returns true if git can read the file safely. An older git follows links (gitignore(5), NOTES). A file that is gone does no harm. */
function isHarmless(file: string, entry: WalkEntry): boolean {
  try {
    const facts = entry.kind === 'symlink' ? statSync(file, { throwIfNoEntry: false }) : entry.lstat()
    return facts === undefined || facts === null || (facts.isFile() && facts.size <= mostIgnoreBytes)
  } catch {
    return true
  }
}
