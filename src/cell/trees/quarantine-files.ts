import { randomInt } from 'node:crypto'
import { closeSync, lstatSync, renameSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { openBelow } from '../../files/open-below.ts'
import { shown } from '../../files/tree-names.ts'
import type { WalkEntry } from '../../files/walk.ts'
import type { ChangeSummary } from '../report.ts'
import { openEntry } from './entry-rights.ts'

/** Runs `act` unless another cell has an entry at this path that is still inert. Prevents other cells from creating one there meanwhile. */
export type UnlessOthers = (file: string, act: () => void) => void

export type Summary = { -readonly [K in keyof ChangeSummary]: ChangeSummary[K] extends readonly (infer T)[] ? T[] : ChangeSummary[K] }

/** Renames entries in one tree that a cell created and that would run later, so that no tool obeys them. */
export class Quarantine {
  readonly #root: string
  readonly #unlessOthers: UnlessOthers
  readonly #found: Summary
  /** Directories that were quarantined and not yet searched, by their new names. */
  readonly directories: (readonly Buffer[])[] = []

  constructor(root: string, unlessOthers: UnlessOthers, found: Summary) {
    this.#root = root
    this.#unlessOthers = unlessOthers
    this.#found = found
  }

  /** Quarantines the entry, or another one in the same directory by its name. */
  move(entry: WalkEntry, name: string): void {
    const around = entry.names.slice(0, -1)
    this.#unlessOthers(path.join(this.#root, shown(around), name), () => {
      // Bytes that are not UTF-8 are not the same as text.
      const last = entry.names.at(-1) ?? Buffer.from(name)
      const isItself = name === String(last)
      if (entry.kind === 'directory' && isItself) openEntry(entry)
      const to = this.rename((from, to) => entry.rename(isItself ? last : from, to), around, name)
      if (to !== null && isItself && entry.kind !== 'file' && entry.kind !== 'symlink') this.directories.push([...around, Buffer.from(to)])
    })
  }

  /**
   * Quarantines the entry in another directory of the tree, which is opened by its names below `base`. `list` receives the new path.
   * Returns false if the entry was left alone, because another cell has an inert entry there.
   */
  moveInto(into: readonly Buffer[], base: string, entry: Pick<WalkEntry, 'names' | 'kind'>, list = this.#found.quarantined): boolean {
    const around = entry.names.slice(0, -1)
    const name = String(entry.names.at(-1))
    let isLeft = true
    this.#unlessOthers(path.join(this.#root, shown(around), name), () => {
      isLeft = false
      const directories: number[] = []
      try {
        for (const each of [around, into]) directories.push(openBelow(base, each))
        const [from = '', to = ''] =
          process.platform === 'linux'
            ? directories.map((each) => `/proc/self/fd/${each}`)
            : [around, into].map((each) => path.join(this.#root, shown(each)))
        const inside = (directory: string, file: Buffer): Buffer => Buffer.concat([Buffer.from(`${directory}/`), file])
        const last = entry.names.at(-1) ?? Buffer.from(name)
        const moved = this.rename((_, newName) => renameNew(inside(from, last), inside(to, newName)), around, name, into, list)
        if (moved !== null && entry.kind === 'directory') this.directories.push([...into, Buffer.from(moved)])
      } catch {
        this.#found.unsearched.push(shown(entry.names))
      } finally {
        for (const each of directories) closeSync(each)
      }
    })
    return !isLeft
  }

  /** @returns the new name; null if the entry was not renamed */
  rename(
    rename: WalkEntry['rename'],
    around: readonly Buffer[],
    name: string,
    into = around,
    list = this.#found.quarantined,
  ): string | null {
    const at = (file: string, directory = around): string => shown([...directory, Buffer.from(file)])
    for (let n = 1; n <= mostNumbered + 1; n++) {
      const to = n > mostNumbered ? unusedName() : n === 1 ? `${name}.quarantined` : `${name}.quarantined-${n}`
      try {
        rename(Buffer.from(name), Buffer.from(to))
        list.push({ path: at(name), movedTo: at(to, into) })
        return to
      } catch (error) {
        const code = codeOf(error)
        if (code === 'EEXIST') continue
        // Another cell has removed the inert entry there.
        if (code === 'ENOENT') return null
        if (code !== 'ENAMETOOLONG' || n > mostNumbered) break
        n = mostNumbered
      }
    }
    this.#found.unsearched.push(at(name))
    return null
  }
}

/** After this number of names that a cell may have taken on purpose, a random one is used. It is also short. */
const mostNumbered = 99

function unusedName(): string {
  return `renamed.quarantined-${randomInt(10 ** 12)}`
}

/** Renames a file. Never replaces an existing one. */
export function renameNew(from: string | Buffer, to: string | Buffer): void {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
  renameSync(from, to)
}
