import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { ownGit } from './own-git.ts'

const searchPath = '/usr/local/bin:/usr/bin:/bin'
const mostShallowBytes = 1024 ** 2

interface OwnRun {
  readonly index?: string
  readonly input?: string
  /** Default: an empty one. */
  readonly workTree?: string
  /** The user's file of ignore patterns. */
  readonly excludes?: string | null
  readonly ok?: readonly number[]
}

/**
 * A git directory of Paddock's own with the objects of a repository that a cell could write to, for queries by `ownGit`. It is created when
 * it is needed, and removed with the directory of the cell.
 */
export class OwnRepository {
  readonly #own: string
  readonly #git: string
  readonly #isSha256: boolean
  #isMade = false

  /** @param own the path of the directory. `git`: the git directory with the objects. */
  constructor(own: string, git: string, isSha256: boolean) {
    this.#own = own
    this.#git = git
    this.#isSha256 = isSha256
  }

  /** Returns the output of git. `ok`: exit codes that are not failures. Throws as `ownGit` does. */
  run(args: readonly string[], { index, input, workTree, excludes, ok }: OwnRun = {}): Promise<Buffer> {
    if (!this.#isMade) this.#make()
    const places = { gitDirectory: this.#own, workTree: workTree ?? this.#own, searchPath, objects: path.join(this.#git, 'objects') }
    // A commit graph is a cache that git believes (git-commit-graph(1)).
    return ownGit(
      ['-c', 'core.commitGraph=false', ...args],
      { ...places, ...(index === undefined ? {} : { index }), ...(excludes === undefined ? {} : { excludes }) },
      { ...(input === undefined ? {} : { input: Buffer.from(input) }), ...(ok === undefined ? {} : { ok }) },
    )
  }

  #make(): void {
    for (const each of ['objects', 'refs']) mkdirSync(path.join(this.#own, each), { recursive: true })
    writeFileSync(path.join(this.#own, 'HEAD'), 'ref: refs/heads/none\n')
    const format = `[core]\n\trepositoryformatversion = ${this.#isSha256 ? 1 : 0}\n`
    writeFileSync(path.join(this.#own, 'config'), `${format}${this.#isSha256 ? '[extensions]\n\tobjectFormat = sha256\n' : ''}`)
    const ends = (readRegularSync(path.join(this.#git, 'shallow'), mostShallowBytes) ?? '').match(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/gm)
    if (ends !== null) writeFileSync(path.join(this.#own, 'shallow'), `${ends.join('\n')}\n`)
    this.#isMade = true
  }
}
