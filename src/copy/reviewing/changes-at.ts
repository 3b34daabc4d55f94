import { isAtOrBelow } from '../copy-names.ts'
import type { Change } from './change.ts'

/**
 * Selects changes by places, each the path of a change or a directory. The path of a change selects only that change, and the deletions
 * below it if it is a file now: an agent may have replaced a file that was chosen by a directory with other files.
 */
export class ChangesAt {
  readonly #changes: readonly Change[]
  readonly #byPath: ReadonlyMap<string, Change>
  readonly #paths = new Set<string>()
  readonly #files = new Set<string>()
  readonly #directories = new Set<string>()

  constructor(changes: readonly Change[]) {
    this.#changes = changes
    this.#byPath = new Map(changes.map((each) => [each.path, each]))
  }

  /** Adds a place. Returns false if nothing changed there. */
  add(place: string): boolean {
    const own = this.#byPath.get(place)
    if (own === undefined) {
      if (!this.#changes.some((each) => isAtOrBelow(each.path, new Set([place])))) return false
      this.#directories.add(place)
      return true
    }
    this.#paths.add(place)
    if (own.now !== null) this.#files.add(place)
    return true
  }

  selected(): readonly Change[] {
    return this.#changes.filter(
      ({ path, now }) => this.#paths.has(path) || isAtOrBelow(path, this.#directories) || (now === null && isAtOrBelow(path, this.#files)),
    )
  }
}
