import { createHash } from 'node:crypto'
import { readdirSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { readRegularBytes } from '../../files/read-regular.ts'
import { joined } from '../../files/tree-names.ts'
import { walk } from '../../files/walk.ts'
import { gitDirectoryNames } from '../../git/directory-names.ts'
import type { ListedFiles } from '../plan/machine-facts.ts'

/** The f_type of file systems on which a write through a mapping (mmap(2)) changes no time: tmpfs and ramfs (statfs(2)). */
const withoutTimes: ReadonlySet<number> = new Set([0x01021994, 0x858458f6])
const mostBytes = 16 * 1024 ** 2
const bounds = { maxEntries: 500_000, maxDepth: 190 }

/** Returns true if every write to a file below this directory changes the file's change time. */
export function timesTellWrites(root: string): boolean {
  try {
    return !withoutTimes.has(statfsSync(root).type)
  } catch {
    // It is gone.
    return true
  }
}

/**
 * The contents of a tree when its cell started, as hashes, for a file system where times do not tell that a program wrote to a file. Files
 * of more than 16 MiB, and other files in directories that are not listed, are not known.
 */
export class ContentsBefore {
  readonly #root: string
  readonly #files = new Map<string, string>()
  /** What git obeys in the git directories that are not listed, one byte a character. */
  readonly #settings = new Map<string, string>()

  private constructor(root: string) {
    this.#root = root
  }

  /** Reads the contents of a tree. Null if times tell enough. */
  static async of(root: string, { files, unlisted }: ListedFiles): Promise<ContentsBefore | null> {
    if (timesTellWrites(root)) return null
    const contents = new ContentsBefore(root)
    for (const each of files) {
      const hash = hashOf(Buffer.from(path.join(root, each)))
      if (hash !== null) contents.#files.set(each, hash)
    }
    for (const each of unlisted) await contents.#readSettings(path.join(root, each))
    return contents
  }

  /** Returns true for a file that has other content than before. */
  isRewritten(relative: string): boolean {
    const before = this.#files.get(relative)
    return before !== undefined && before !== hashOf(Buffer.from(path.join(this.#root, relative)))
  }

  /** Returns true for a git directory that was not there, or in which git obeys something else than before. */
  isConfigured(relative: Buffer): boolean {
    const directory = Buffer.concat([Buffer.from(`${this.#root}/`), relative])
    return this.#settings.get(directory.toString('latin1')) !== settingsOf(directory)
  }

  async #readSettings(directory: string): Promise<void> {
    try {
      for await (const { names } of walk(directory, bounds)) {
        if (String(names.at(-1)) !== 'HEAD') continue
        const git = Buffer.concat([Buffer.from(`${directory}/`), joined(names.slice(0, -1))])
        this.#settings.set(git.toString('latin1'), settingsOf(git))
      }
    } catch {
      // What was not read is not known, and then counts as configured by the cell.
    }
  }
}

/** Returns a text that differs if a part of a git directory differs that makes it a repository, or that git obeys. */
function settingsOf(directory: Buffer): string {
  const at = (name: Buffer): Buffer => Buffer.concat([directory, Buffer.from('/'), name])
  let hooks: readonly Buffer[] = []
  try {
    hooks = readdirSync(at(Buffer.from('hooks')), { encoding: 'buffer' }).map((each) => Buffer.concat([Buffer.from('hooks/'), each]))
  } catch {
    // The git directory has no hooks.
  }
  const files = [...gitDirectoryNames, 'config', 'config.worktree'].map((each) => Buffer.from(each))
  return [...files, ...hooks].map((each) => `${each.toString('hex')} ${hashOf(at(each))}`).join('\n')
}

/** Returns the hash of a regular file; null for everything else. */
function hashOf(file: Buffer): string | null {
  const bytes = readRegularBytes(file, mostBytes)
  return bytes === null ? null : createHash('sha256').update(bytes).digest('base64')
}
