import path from 'node:path'
import { changedSince, refsSince, workTreeDirectories } from '../../git/tips.ts'
import type { RunLaterRules } from '../plan/protected/run-later.ts'
import { OwnRepository } from './own-repository.ts'

/** The state of a repository when the cell started: its git directory, and the commits of its work trees. */
export type GitStart = readonly [git: string, heads: readonly string[]]

export interface Hidden {
  readonly found: { readonly path: string; readonly why: string }[]
  readonly unsearched: string[]
}

/** Maximum number of commits that are examined for one cell. */
const mostTips = 50

/**
 * Returns the changes in repositories that the next git command would write to a work tree or hide: protected paths in new
 * commits and in an index, changed files that the index hides from `git status` and `git diff`, and objects that git shows in place of
 * others. `ownVersions`: versions of protected paths that are not reported, as `ID PATH`. `scratch`: an empty directory of Paddock's own. `changed`: absolute paths of created or modified files. `since`:
 * milliseconds since the epoch. Returned paths are absolute.
 */
export async function hiddenInGit(
  repositories: readonly GitStart[],
  since: number,
  scratch: string,
  changed: ReadonlySet<string>,
  rules: RunLaterRules,
  ownVersions: ReadonlySet<string>,
): Promise<Hidden> {
  const hidden: Hidden = { found: [], unsearched: [] }
  for (const [at, [git, heads]] of repositories.entries()) {
    const look = new RepositoryLook(git, heads, path.join(scratch, `git-${at}`), rules, ownVersions)
    try {
      const refs = refsSince(git, since)
      look.replacements(since, refs, hidden)
      await look.commits(refs, hidden)
      for (const each of workTreeDirectories(git)) await look.index(path.join(each, 'index'), since, changed, hidden)
    } catch {
      hidden.unsearched.push(git)
    }
  }
  return hidden
}

class RepositoryLook {
  readonly #git: string
  readonly #heads: readonly string[]
  readonly #rules: RunLaterRules
  readonly #ownVersions: ReadonlySet<string>
  readonly #own: OwnRepository
  #before: ReadonlySet<string> | null = null

  constructor(git: string, heads: readonly string[], own: string, rules: RunLaterRules, ownVersions: ReadonlySet<string>) {
    this.#rules = rules
    this.#ownVersions = ownVersions
    this.#git = git
    this.#heads = heads
    this.#own = new OwnRepository(
      own,
      git,
      heads.some((each) => each.length === 64),
    )
  }

  /** `refs`: those that were written, with their object IDs; null: not known. A ref that cannot be read hides no other. */
  async commits(refs: ReadonlyMap<string, string> | null, hidden: Hidden): Promise<void> {
    const tips = new Map([...(refs ?? [])].map(([ref, id]) => [id, ref]))
    for (const each of this.#heads) tips.delete(each)
    if (refs === null || tips.size > mostTips) hidden.unsearched.push(path.join(this.#git, 'refs'))
    for (const [id, ref] of [...tips].slice(0, mostTips)) {
      const files = await this.#protectedIn(id).catch(() => this.#isFile(id).then((is) => (is ? [] : null)))
      if (files === null) hidden.unsearched.push(path.join(this.#git, ref))
      for (const { file, blob } of files ?? []) {
        if ((await this.#protectedBefore()).has(`${blob} ${file}`)) continue
        hidden.found.push({ path: this.#inWorkTree(file), why: `${ref} has it in commit ${id.slice(0, 10)}: the next checkout writes it` })
      }
    }
  }

  async index(index: string, since: number, changed: ReadonlySet<string>, hidden: Hidden): Promise<void> {
    if (!changedSince(index, since)) return
    const rows = (await this.#run(['ls-files', '--stage', '-v', '-z'], index)).flatMap((each) => {
      const [, tag = '', blob = '', file = ''] = /^(\S) \d+ ([0-9a-f]+) \d\t(.*)$/s.exec(each) ?? []
      return file === '' ? [] : [{ tag, blob, file }]
    })
    for (const { tag, blob, file } of rows) {
      if (isProtected(file, this.#rules) && !(await this.#protectedBefore()).has(`${blob} ${file}`))
        hidden.found.push({ path: this.#inWorkTree(file), why: 'it is in the index of git: git restore writes it' })
      // git-ls-files(1): a lower-case letter means assume-unchanged, S means skip-worktree.
      if ((tag === 'S' || tag !== tag.toUpperCase()) && changed.has(this.#inWorkTree(file)))
        hidden.found.push({
          path: this.#inWorkTree(file),
          why: 'it was changed, and the index hides that from git status and git diff',
        })
    }
  }

  /** Finds replaced objects (git-replace(1)), alternates and a shortened history (gitrepository-layout(5)). `refs`: as for `commits`. */
  replacements(since: number, refs: ReadonlyMap<string, string> | null, hidden: Hidden): void {
    // Packed refs need no directory.
    const isReplaced = [...(refs?.keys() ?? [])].some((each) => each.startsWith('refs/replace/'))
    for (const [name, why, isFound] of [
      ['refs/replace', 'git shows other objects in the place of those that it names', isReplaced],
      ['objects/info/alternates', 'git takes objects from where it leads', false],
      ['shallow', 'git shows no commits before those that it names', false],
    ] as const)
      if (isFound || changedSince(path.join(this.#git, name), since)) hidden.found.push({ path: path.join(this.#git, name), why })
  }

  async #protectedBefore(): Promise<ReadonlySet<string>> {
    if (this.#before === null) {
      const found = await Promise.all(this.#heads.map((each) => this.#protectedIn(each)))
      this.#before = new Set([...this.#ownVersions, ...found.flat().map(({ file, blob }) => `${blob} ${file}`)])
    }
    return this.#before
  }

  async #protectedIn(commit: string): Promise<readonly { readonly file: string; readonly blob: string }[]> {
    return (await this.#run(['ls-tree', '-r', '-z', '--full-tree', commit])).flatMap((each) => {
      const [, blob = '', file = ''] = /^\d+ \w+ ([0-9a-f]+)\t(.*)$/s.exec(each) ?? []
      return file !== '' && isProtected(file, this.#rules) ? [{ file, blob }] : []
    })
  }

  /** Returns true for the ID of a file, or of a tag of one; false also for what git cannot read. */
  #isFile(id: string): Promise<boolean> {
    return this.#run(['cat-file', '-t', `${id}^{}`]).then(
      ([kind]) => kind === 'blob\n',
      () => false,
    )
  }

  #inWorkTree(file: string): string {
    return path.basename(this.#git) === '.git' ? path.join(path.dirname(this.#git), file) : `${this.#git}:${file}`
  }

  async #run(args: readonly string[], index?: string): Promise<readonly string[]> {
    return (await this.#own.run(args, index === undefined ? {} : { index })).toString('utf8').split('\0')
  }
}

/** Returns true for a path that is protected, or below a protected directory. */
export function isProtected(file: string, rules: RunLaterRules): boolean {
  const names = file.split('/')
  return names.some((_, at) => rules.protectedAt(names.slice(0, at + 1).join('/'), at === names.length - 1 ? 'file' : 'directory') !== null)
}
