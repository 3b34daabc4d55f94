import { lstatSync, type Stats } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { ofAnyRepository } from '../../git/any-repository.ts'
import { type Converted, type FiltersOff, filtersOff } from '../../git/filter-drivers.ts'
import type { GitSetting, GitUser } from '../../git/git-settings.ts'
import { quietSettings } from '../../git/quiet-settings.ts'
import { refuseOwnSigning } from '../../git/signing/refuse-own-signing.ts'
import { startGit } from '../../git/start-git.ts'
import { hostProgram, hostSearchPath } from '../../system/host-program.ts'
import { parentsOf } from '../copy-names.ts'
import type { CopyRecord } from '../copy-record.ts'
import { projectSettings } from '../git-config.ts'

export interface CommitWish {
  readonly message: string | undefined
  /** True: git runs hooks and programs of the project as it is configured to. */
  readonly hooks: boolean
  /** The user whose git commits. */
  readonly user: GitUser
  /** The environment of the user's git. */
  readonly env: NodeJS.ProcessEnv
}

/**
 * Throws if git would run a program from the work tree to sign the commit, or a filter on an applied path: an agent may have written what
 * that runs, or may do so later. `applied`: the applied paths that are not deletions.
 * @throws PaddockError `NOT_ALLOWED`
 */
export function refuseOwnPrograms(record: CopyRecord, applied: readonly string[], wish: CommitWish): void {
  const git = wish.hooks ? null : gitOf(record, wish)
  if (git === null) return
  refuseOwnSigning({
    git: git.ask,
    project: record.project,
    user: wish.user,
    state: 'Nothing was applied',
    otherwise: 'run it with --hooks. Or apply without --commit, and commit yourself',
  })
  refuseFilters('Nothing was applied', git.filters.converted(applied))
}

function refuseFilters(state: string, [first, ...more]: readonly Converted[]): void {
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  throw new PaddockError(
    'NOT_ALLOWED',
    `${state}: to commit ${first.path}${others}, git would run a filter (${first.key}), which may run files of the agent.`,
    { hint: 'Look at the filter, then run it with --hooks. Or apply without --commit, and commit yourself' },
  )
}

/** The user's git in the project. Null: git is not installed. */
function gitOf(record: CopyRecord, wish: CommitWish) {
  const searchPath = wish.env['PATH'] ?? ''
  const outside = hostSearchPath(searchPath, [record.project])
  const git = hostProgram('git', searchPath, [record.project])
  if (git === null) return null
  const still = wish.hooks ? [] : quietSettings(settingsOf(record, wish)).flatMap((each) => ['-c', each])
  const env: NodeJS.ProcessEnv = { ...ofAnyRepository(wish.env), PATH: wish.hooks ? searchPath : outside, GIT_NO_LAZY_FETCH: '1' }
  const start = (args: readonly string[], input: string, asks: boolean, more: NodeJS.ProcessEnv = {}) =>
    startGit(git, ['-C', record.project, ...still, '--no-pager', ...args], {
      input,
      stdio: ['pipe', asks ? 'pipe' : 2, asks ? 'pipe' : 2],
      // Git looks for the signing program in PATH.
      env: { ...env, ...more },
      maxBuffer: 256 * 1024 * 1024,
    })
  const ask = (args: readonly string[], input = ''): Buffer => start(args, input, true).stdout ?? Buffer.alloc(0)
  const filters = wish.hooks ? noFilters : filtersOff({ git: ask, searchPath, project: record.project, way: 'clean' })
  return {
    filters,
    ask,
    /** Runs a command that changes the repository. `names`: the paths on its standard input. Returns true if git did it. */
    change: (args: readonly string[], names: readonly string[]): boolean =>
      start([...filters.options, ...args], names.map((each) => `${each}\0`).join(''), false, {
        ...filters.env,
        GIT_LITERAL_PATHSPECS: '1',
      }).status === 0,
  }
}

const noFilters: FiltersOff = { options: [], env: {}, converted: () => [] }

/**
 * Commits only these paths, in the project and with the user's own git. Identity and signature are the user's. Hooks, filters except
 * git-lfs, a file-system monitor and housekeeping do not run unless requested, because they may run files that were just applied. Ignored
 * paths, and paths in a nested repository, are left out. Returns false if git refused.
 * @throws PaddockError UNENFORCEABLE if git is not installed, NOT_ALLOWED if what was applied brings a filter
 */
export function commitPaths(record: CopyRecord, paths: readonly string[], wish: CommitWish): boolean {
  const git = gitOf(record, wish)
  if (git === null) throw new PaddockError('UNENFORCEABLE', 'The files are applied; git is not installed, so nothing was committed.')
  const nested = record.repositories.filter((each) => each !== '')
  const own = paths.filter((each) => !nested.some((repository) => each.startsWith(`${repository}/`)))
  // check-ignore does not support literal paths, so none may start with a colon.
  const dotted = own.map((each) => `./${each}\0`).join('')
  const ignored = new Set(git.ask(['check-ignore', '--stdin', '-z'], dotted).toString().split('\0'))
  const before = stagedIn(git.ask(['ls-files', '--stage', '-z']).toString('latin1'))
  // If a directory or a link has replaced a path, it is committed through that, because git rejects the old name.
  const isOwn = (each: string): boolean => {
    const standing = lstatOrNull(path.join(record.project, each))
    if (standing === null ? !before.has(bytes(each)) : standing.isDirectory()) return false
    return !ignored.has(`./${each}`) && !isBeyondLink(record.project, each)
  }
  const names = own.filter(isOwn)
  if (names.length === 0) return false
  // The applied files may include a .gitattributes file.
  const files = names.filter((each) => lstatOrNull(path.join(record.project, each))?.isFile() === true)
  refuseFilters('The files are applied, but not committed', git.filters.converted(files))
  const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']
  const message = wish.message ?? `Apply the work of an agent (copy ${record.id})`
  const isCommitted =
    git.change(['add', '--all', ...fromInput], names) &&
    git.change(['commit', '--only', ...(wish.hooks ? [] : ['--no-verify']), '-m', message, ...fromInput], names)
  // Restores the index, because entries that stay staged would be in the user's next commit.
  if (!isCommitted) git.change(['update-index', '-z', '--index-info'], restoring(own, before))
  return isCommitted
}

const bytes = (name: string): string => Buffer.from(name).toString('latin1')

/** Returns the index lines of each name, in the form `MODE OBJECT STAGE\tNAME`, as bytes. */
function stagedIn(listed: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const line of listed.split('\0')) {
    const name = line.slice(line.indexOf('\t') + 1)
    if (name !== '') found.set(name, [...(found.get(name) ?? []), line])
  }
  return found
}

/**
 * Returns `git update-index --index-info` lines that restore these names. Removals come first, because a file may have been a directory.
 */
function restoring(names: readonly string[], before: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const width = [...before.values()][0]?.[0]?.split(' ')[1]?.length ?? 40
  const gone = names.map((each) => `0 ${'0'.repeat(width)}\t${each}`)
  const back = names.flatMap((each) => before.get(bytes(each)) ?? []).map((each) => Buffer.from(each, 'latin1').toString())
  return [...gone, ...back]
}

function isBeyondLink(project: string, file: string): boolean {
  return parentsOf(file).some((each) => lstatOrNull(path.join(project, each))?.isSymbolicLink() === true)
}

/** Returns the facts of a file. Null also if one of its parents is not a directory. */
function lstatOrNull(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    return null
  }
}

function settingsOf(record: CopyRecord, { user }: CommitWish): readonly GitSetting[] {
  return projectSettings(record.project, user)
}
