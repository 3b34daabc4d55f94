import { existsSync, type FSWatcher, lstatSync, watch } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

const lock = 'index.lock'

/**
 * Notices which files of a work tree git itself writes or removes: those that change while git holds the lock of its index
 * (git-scm.com/docs/api-lockfile). Linux gives the events of all directories in their order (inotify(7)), so this does not depend on how soon
 * they are read. Without such events it notices nothing.
 */
export class GitWrites {
  readonly #git: string
  readonly #workTree: string
  readonly #files: ReadonlySet<string>
  readonly #atRelease: (written: readonly string[]) => (isKept: boolean) => void
  readonly #watchers = new Map<string, { readonly inode: bigint; readonly watcher: FSWatcher }>()
  #isLocked: boolean
  /** Files that changed while the present holder has the lock. */
  readonly #touched = new Set<string>()
  /** Files that changed under a lock that was released. */
  readonly #written = new Set<string>()
  #releases = 0
  #isAwaited = false

  /**
   * `files`: paths in the work tree. `atRelease`: called after git has released the lock, with those that git has written or removed. What it
   * returns is called with true if no other git has written the index before `atRelease` had ended, so that it has seen what that git has left.
   */
  constructor(
    git: string,
    workTree: string,
    files: Iterable<string>,
    atRelease: (written: readonly string[]) => (isKept: boolean) => void,
  ) {
    this.#git = git
    this.#workTree = workTree
    this.#files = new Set(files)
    this.#atRelease = atRelease
    this.#isLocked = existsSync(path.join(git, lock))
    this.watch()
  }

  /** Watches directories that were made, or made again, since the last call. */
  watch(): void {
    const directories = new Set([...this.#files].map((each) => path.join(this.#workTree, path.dirname(each))))
    this.#watchOne(this.#git, (name) => this.#onGit(name))
    for (const each of directories)
      this.#watchOne(each, (name) => {
        const file = path.relative(this.#workTree, path.join(each, name))
        if (this.#isLocked && this.#files.has(file)) this.#touched.add(file)
      })
  }

  /** Waits until all events that the system has given so far are reported. */
  async reported(): Promise<void> {
    for (let turns = 0; turns < 2 || this.#isAwaited; turns++) await nextTurn()
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #watchOne(directory: string, onChange: (name: string) => void): void {
    const before = this.#watchers.get(directory)
    try {
      const inode = lstatSync(directory, { bigint: true, throwIfNoEntry: false })?.ino
      if (inode === before?.inode) return
      before?.watcher.close()
      this.#watchers.delete(directory)
      if (inode === undefined) return
      const watcher = watch(directory, { persistent: false }, (kind, name) => {
        if (name !== null && kind === 'rename') onChange(name)
      })
      watcher.on('error', () => watcher.close())
      this.#watchers.set(directory, { inode, watcher })
    } catch {
      // It cannot be searched, or all watches of this user are in use.
    }
  }

  /** Git makes `index.lock`, and renames it to `index` or removes it. A state that is wrong, because events were lost, ends with a rename. */
  #onGit(name: string): void {
    if (name !== lock && name !== 'index') return
    this.#isLocked = name === lock && !this.#isLocked
    if (this.#isLocked) return
    for (const each of this.#touched) this.#written.add(each)
    this.#touched.clear()
    // A rename has two events.
    if (name === 'index') this.#releases++
    if (!this.#isAwaited) this.#report()
  }

  #report(): void {
    this.#isAwaited = true
    setImmediate(() => {
      const written = [...this.#written]
      this.#written.clear()
      const known = this.#releases
      const decide = this.#atRelease(written)
      // The system has given all events before this one by then.
      setImmediate(() => {
        const isKept = this.#releases <= 1
        this.#isAwaited = false
        decide(isKept)
        // Files that another git has written meanwhile are reported too, and each release after that counts.
        this.#releases = this.#written.size > 0 ? this.#releases - known : 0
        if (this.#written.size > 0) this.#report()
      })
    })
  }
}
