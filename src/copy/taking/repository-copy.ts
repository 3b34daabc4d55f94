import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { ownGit } from '../../cell/trees/own-git.ts'
import { repositoryOf } from '../../cell/trees/source-repository.ts'
import { hostSearchPath } from '../../system/host-program.ts'
import { FileTaker } from './file-taker.ts'
import { type FilesOfCommit, filesOfCommit } from './from-ref.ts'
import { copyGitDirectory } from './git-directory.ts'

/**
 * A copy of the git directory of a project, with a configuration that Paddock wrote, for queries about its commits. No hook, filter or
 * setting of the project counts.
 */
export class RepositoryCopy {
  readonly project: string
  readonly #workTree: string
  readonly searchPath: string

  private constructor(project: string, workTree: string, searchPath: string) {
    this.project = project
    this.#workTree = workTree
    this.searchPath = searchPath
  }

  /**
   * Makes a copy in `directory`, which must not exist.
   * @throws PaddockError BAD_INPUT if the project is not a work tree of git, or borrows objects of another repository
   */
  static async make(
    project: string,
    directory: string,
    { searchPath, signal }: { readonly searchPath: string; readonly signal: AbortSignal },
  ): Promise<RepositoryCopy> {
    const repository = repositoryOf(project, [])
    if (repository === null)
      throw new PaddockError('BAD_INPUT', `${project} is not a work tree of git.`, { hint: 'Name the root of a work tree' })
    if (existsSync(path.join(repository.common, 'objects/info/alternates')))
      throw new PaddockError('BAD_INPUT', `${project} borrows objects of another repository (objects/info/alternates).`, {
        hint: 'Run: git repack -a -d, and remove that file',
      })
    await mkdir(directory)
    await copyGitDirectory(repository, path.join(directory, '.git'), new FileTaker(undefined, undefined, signal))
    return new RepositoryCopy(project, directory, hostSearchPath(searchPath, [project]))
  }

  get gitDirectory(): string {
    return path.join(this.#workTree, '.git')
  }

  /** Whether the history ends before its first commit (git-clone(1), --depth). */
  get isShallow(): boolean {
    return existsSync(path.join(this.gitDirectory, 'shallow'))
  }

  /** Returns the output of git. `ok`: exit codes that are not failures. */
  git(args: readonly string[], options: { readonly ok?: readonly number[] } = {}): Promise<Buffer> {
    return ownGit(args, { gitDirectory: this.gitDirectory, workTree: this.#workTree, searchPath: this.searchPath }, options)
  }

  /** Writes the files of a commit into `target`, as `filesOfCommit`. */
  filesOf(commit: string, target: string): Promise<FilesOfCommit> {
    return filesOfCommit(commit, target, { project: this.project, tree: this.#workTree, searchPath: this.searchPath })
  }
}
