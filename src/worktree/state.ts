import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { gitDirectoryOf } from '../cell/plan/git-facts.ts'
import { skipped } from '../cell/plan/project-facts.ts'
import type { ChangeSummary, GitOperation } from '../cell/report.ts'
import { gitState } from '../cell/trees/git-before.ts'
import { OwnRepository } from '../cell/trees/own-repository.ts'
import { gitUserOf } from '../copy/copy-host.ts'
import { entriesOf } from '../files/entries-of.ts'
import { kindBelow } from '../files/kind-below.ts'
import { removeTree } from '../files/remove-tree.ts'
import { readRefs } from '../git/tips.ts'
import { userExcludes } from '../git/user-excludes.ts'
import { isStanding } from './open-worktree.ts'
import { refuseForged } from './refuse-forged.ts'
import { laterAmong, linkAt } from './run-later-changes.ts'
import type { WorktreeHost } from './worktree-host.ts'
import { recordsDirectory, repositoryAt } from './worktree-place.ts'
import type { WorktreeRecord } from './worktree-record.ts'

/** The state of a work tree in which cells may have worked. */
export interface WorktreeState {
  /** The branch that is checked out there; null: none. */
  readonly branch: string | null
  /** The commit that is checked out there; null: none. */
  readonly head: string | null
  /** Number of commits of its branch and its HEAD that no other branch, tag or remote has. */
  readonly unmerged: number
  /** Files that differ from HEAD, and new ones that git does not ignore. */
  readonly uncommitted: readonly string[]
  readonly inProgress: GitOperation | null
  /** Files that differ from the commit from which the branch started, committed or not, and that a program of this machine would run or obey. */
  readonly runsLater: ChangeSummary['runsLater']
}

/**
 * Returns the state of a work tree. Everything that a cell could write there is compared by content, with a git directory of Paddock's own.
 * @throws PaddockError NOT_FOUND if the work tree is gone, NOT_ALLOWED if an object of the repository is forged, FILES_FAILED
 */
export async function worktreeState(record: WorktreeRecord, host: WorktreeHost): Promise<WorktreeState> {
  const { directory, common, name, base } = record
  const own = gitDirectoryOf(path.join(directory, '.git'))
  if (own === null || !isStanding(record))
    throw new PaddockError('NOT_FOUND', `${directory} is no longer a work tree of ${common}.`, {
      hint: `To make it again from the branch, run: paddock run --worktree ${name} … To forget it, run: paddock worktree remove ${name}`,
    })
  mkdirSync(recordsDirectory(host.paths), { recursive: true, mode: 0o700 })
  const scratch = mkdtempSync(path.join(recordsDirectory(host.paths), 'look-'))
  try {
    const refs = readRefs(common)
    const { branch, head, inProgress } = gitState({ path: directory, own, common }, refs)
    const git = new OwnRepository(path.join(scratch, 'git'), common, base.length === 64)
    const tree = new TreeComparison(git, directory, scratch)
    const excludes = userExcludes(gitUserOf(host))
    const ofRepository = `--exclude-from=${path.join(common, 'info/exclude')}`
    // A commit may have files that the work tree no longer has.
    const tips = [...new Set([head ?? [], refs.ids().get(`refs/heads/${name}`) ?? []].flat())]
    const around = headOf(record.project, common, refs)
    await refuseForged(git, [...new Set([base, ...tips, ...(around === null ? [] : [around])])], common)
    const inLinks = await tree.inGitlinks([...new Set([base, ...tips])])
    const added = await tree.untracked(head ?? base, ['--exclude-standard', ofRepository], excludes)
    // Ignored files can run later too. Installed packages are not searched, as in any project.
    const all = await tree.untracked(
      base,
      [...skipped].flatMap((each) => ['-x', each]),
      null,
    )
    const committed = await Promise.all(tips.map((tip) => git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, tip])))
    const changed = [...new Set([...committed.flatMap(namesIn), ...(await tree.changed(base)), ...all, ...inLinks])].sort()
    return {
      branch,
      head,
      inProgress,
      unmerged: await unmergedIn(git, refs.ids(), name, head),
      uncommitted: [...new Set([...(await tree.changed(head ?? base)), ...added, ...inLinks])].sort(),
      runsLater: [
        ...(inProgress === null ? [] : [{ path: '.git', why: `git goes on with a ${inProgress} that an agent may have written` }]),
        ...laterAmong(
          changed.map((each) => ({ path: each, link: linkAt(directory, each) })),
          record,
          host,
        ),
      ],
    }
  } finally {
    await removeTree(scratch)
  }
}

/** Compares a work tree with commits, by fresh indexes, because a cell can write the index of the work tree. */
class TreeComparison {
  readonly #git: OwnRepository
  readonly #workTree: string
  readonly #scratch: string
  readonly #read = new Map<string, Promise<string>>()

  constructor(git: OwnRepository, workTree: string, scratch: string) {
    this.#git = git
    this.#workTree = workTree
    this.#scratch = scratch
  }

  /** Returns the paths of a commit whose files differ or are gone. */
  async changed(commit: string): Promise<readonly string[]> {
    const index = await this.#indexOf(commit)
    // In a submodule, git would run git status, which obeys the submodule's own configuration.
    const args = ['diff-files', '--ignore-submodules=all', '--name-only', '-z']
    return namesIn(await this.#git.run(args, { index, workTree: this.#workTree }))
  }

  /** Returns the files that a commit does not have. */
  async untracked(commit: string, exclude: readonly string[], excludes: string | null): Promise<readonly string[]> {
    const index = await this.#indexOf(commit)
    return namesIn(await this.#git.run(['ls-files', '--others', '-z', ...exclude], { index, workTree: this.#workTree, excludes }))
  }

  /** Returns what is in place of submodules that these commits name. A directory with files ends with `/`: git lists none of them. */
  async inGitlinks(commits: readonly string[]): Promise<readonly string[]> {
    const trees = await Promise.all(commits.map((each) => this.#git.run(['ls-tree', '-r', '-z', '--full-tree', each])))
    const names = trees.flatMap((each) =>
      namesIn(each).flatMap((row) => (row.startsWith('160000 ') ? [row.slice(row.indexOf('\t') + 1)] : [])),
    )
    return [...new Set(names)].flatMap((each) => {
      const at = path.join(this.#workTree, each)
      const kind = kindBelow(this.#workTree, at)
      if (kind === null) return []
      return kind !== 'directory' ? [each] : entriesOf(at).length === 0 ? [] : [`${each}/`]
    })
  }

  #indexOf(commit: string): Promise<string> {
    const known = this.#read.get(commit) ?? this.#readTree(commit)
    this.#read.set(commit, known)
    return known
  }

  async #readTree(commit: string): Promise<string> {
    const index = path.join(this.#scratch, `index-${commit}`)
    await this.#git.run(['read-tree', commit], { index })
    await this.#git.run(['update-index', '-q', '--ignore-submodules', '--refresh'], { index, workTree: this.#workTree, ok: [1] })
    return index
  }
}

/** Returns the commit that is checked out in the project; null: none, or the project is gone. */
function headOf(project: string, common: string, refs: ReturnType<typeof readRefs>): string | null {
  return existsSync(path.join(project, '.git')) ? gitState({ path: project, own: repositoryAt(project).own, common }, refs).head : null
}

/** Returns the NUL-separated names of a text. Bytes that are not UTF-8 become U+FFFD. */
function namesIn(output: Buffer): readonly string[] {
  return output.toString('utf8').split('\0').filter(Boolean)
}

async function unmergedIn(git: OwnRepository, refs: ReadonlyMap<string, string>, name: string, head: string | null): Promise<number> {
  const own = `refs/heads/${name}`
  const tips = [...new Set([refs.get(own) ?? [], head ?? []].flat())]
  if (tips.length === 0) return 0
  const others = [...new Set([...refs].filter(([ref]) => ref !== own && ref !== 'refs/stash').map(([, id]) => id))]
  const input = `${tips.join('\n')}\n${others.map((each) => `^${each}\n`).join('')}`
  return Number((await git.run(['rev-list', '--count', '--ignore-missing', '--stdin'], { input })).toString().trim())
}
