import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, utimesSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import type { Paths } from '../base/paths.ts'
import { writeJson } from '../files/atomic.ts'
import { own, ownerState } from '../files/directory-owner.ts'
import { takeLock } from '../files/lock.ts'
import { readRegularSync } from '../files/read-regular.ts'
import { removeTree } from '../files/remove-tree.ts'

const day = 24 * 60 * 60_000
/** Results that no tree has used for this long are removed. */
const keptMs = 30 * day
/** How long a process waits for another one that makes the same result: longer than a command usually takes. */
const patienceMs = 6 * 60 * 60_000

const placedSchema = z.object({
  tree: z.string(),
  /** For each directory, the SHA-256 of the files for which it was made, by path. */
  directories: z.record(z.string(), z.record(z.string(), z.string())),
})

/** What was placed in one tree. */
export type Placed = z.output<typeof placedSchema>

/**
 * The results of setups, each a directory named after its key. A cell sees only the tree in `making` in which its own command runs; a result
 * is complete from the moment in which it is renamed to `results`.
 */
export class SetupStore {
  readonly #root: string

  constructor(paths: Pick<Paths, 'cache'>) {
    this.#root = path.join(paths.cache, 'setup')
  }

  #place(...names: readonly string[]): string {
    const place = path.join(this.#root, ...names)
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    return place
  }

  /** Returns the directory of the result with this key, whether it exists or not. */
  result(key: string): string {
    return this.#place('results', key)
  }

  has(key: string): boolean {
    return existsSync(this.result(key))
  }

  /** Notes that a result is in use. */
  use(key: string): void {
    utimesSync(this.result(key), new Date(), new Date())
  }

  /** Takes the lock for a result or a tree. Few locks serve all, because the file of a lock stays. */
  lock(what: 'make' | 'place', key: string): Promise<Disposable> {
    const file = this.#place('locks', `${what}-${key.slice(0, 2)}.lock`)
    return takeLock({ file, what: 'The directory of setups', command: 'paddock run', patienceMs })
  }

  /** Makes an empty directory for a command. Only this user can enter it. */
  async newDirectory(): Promise<string> {
    const directory = this.#place('making', randomBytes(8).toString('hex'))
    mkdirSync(directory, { mode: 0o700 })
    await own(directory)
    return directory
  }

  /** Removes results that were not used for 30 days, and what killed processes left. */
  async clean(now: number): Promise<void> {
    const age = (file: string): number => now - (lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now)
    for (const each of this.#entries('results')) {
      if (age(each) < keptMs) continue
      const away = this.#place('making', randomBytes(8).toString('hex'))
      renameSync(each, away)
      await removeTree(away)
    }
    for (const each of this.#entries('making')) {
      const state = await ownerState(each)
      if (state === 'nobody' || (state !== 'running' && age(each) > day)) await removeTree(each)
    }
    for (const each of this.#entries('placed')) {
      // Another process may be writing a temporary file there.
      if (!each.endsWith('.json')) continue
      const placed = parsed(each)
      if (placed === null || !existsSync(placed.tree)) await removeTree(each)
    }
  }

  #entries(directory: string): readonly string[] {
    const place = path.join(this.#root, directory)
    return existsSync(place) ? readdirSync(place).map((each) => path.join(place, each)) : []
  }

  /** Returns what was placed in a tree. `key`: the hash of its path. */
  placed(key: string): Placed | null {
    return parsed(this.#place('placed', `${key}.json`))
  }

  async writePlaced(key: string, placed: Placed): Promise<void> {
    await writeJson(this.#place('placed', `${key}.json`), placed, { mode: 0o600 })
  }
}

function parsed(file: string): Placed | null {
  try {
    return placedSchema.safeParse(JSON.parse(readRegularSync(file, 1024 ** 2) ?? 'null')).data ?? null
  } catch {
    return null
  }
}
