import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { GitSetting, GitUser } from '../cell/git-settings.ts'
import { findTool } from '../cell/tools.ts'
import { projectSettings } from '../copy/git-config.ts'
import { gitPrograms } from '../copy/git-programs.ts'
import type { CopyRecord } from '../copy/record.ts'
import { PaddockError } from '../errors.ts'

export interface CommitWish {
  readonly message: string | undefined
  /** Whether git runs what it would run by its configuration: hooks, and programs that lie in the project. */
  readonly hooks: boolean
  /** Whose git commits. */
  readonly user: GitUser
}

/** What git runs, by its configuration, while it adds and commits, and what no setting of ours takes away. */
const atOnce = /^(gpg\.(.*\.)?program|gpg\.ssh\.defaultkeycommand|filter\..*\.(clean|process))$/

/**
 * Refuses a commit in which git would run a program that lies in the work tree: an agent may have written it, or will.
 * `applied`: the paths that come into the project.
 * @throws PaddockError `NOT_ALLOWED`
 */
export function refuseOwnPrograms(record: CopyRecord, applied: readonly string[], wish: CommitWish): void {
  if (wish.hooks) return
  const comes = new Set(applied)
  const found = gitPrograms(record.project, settingsOf(record, wish)).find(
    (each) => atOnce.test(each.key) && (comes.has(each.path) || isFile(path.join(record.project, each.path))),
  )
  if (found === undefined) return
  throw new PaddockError('NOT_ALLOWED', `Nothing was applied: to commit, git would run ${found.path} of the project (${found.key}).`, {
    hint: 'Look at it, then have it run with --hooks; or apply without --commit, and commit by yourself.',
  })
}

/**
 * Commits just these paths, in the project and by the user's own git: identity and signature are the user's; hooks, a file-system
 * monitor and housekeeping do not run unless wished, because what they run may be what was applied. What is ignored, or belongs to a
 * repository inside of the project, is left out. False: git said no.
 */
export function commitPaths(record: CopyRecord, paths: readonly string[], wish: CommitWish): boolean {
  const git = findTool('git', process.env['PATH'] ?? '')
  if (git === null) throw new PaddockError('UNENFORCEABLE', 'The files are applied; git is not installed, so nothing was committed.')
  const nested = record.repositories.filter((each) => each !== '')
  const own = paths.filter((each) => !nested.some((repository) => each.startsWith(`${repository}/`)))
  const still = wish.hooks ? [] : quiet(settingsOf(record, wish)).flatMap((each) => ['-c', each])
  const run = (args: readonly string[], names: readonly string[], asks = false) =>
    spawnSync(git, ['-C', record.project, ...still, '--no-pager', ...args], {
      input: names.map((each) => `${each}\0`).join(''),
      stdio: ['pipe', asks ? 'pipe' : 2, asks ? 'pipe' : 2],
      env: { ...process.env, GIT_NO_LAZY_FETCH: '1', ...(asks ? {} : { GIT_LITERAL_PATHSPECS: '1' }) },
      maxBuffer: 256 * 1024 * 1024,
    })
  // It knows no literal paths, so none may start with a colon.
  const dotted = own.map((each) => `./${each}`)
  const ignored = new Set(run(['check-ignore', '--stdin', '-z'], dotted, true).stdout?.toString().split('\0') ?? [])
  const names = own.filter((each) => !ignored.has(`./${each}`))
  if (names.length === 0) return false
  const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']
  if (run(['add', '--all', ...fromInput], names).status !== 0) return false
  const message = wish.message ?? `Apply the work of an agent (copy ${record.id})`
  return run(['commit', '--only', ...(wish.hooks ? [] : ['--no-verify']), '-m', message, ...fromInput], names).status === 0
}

/** Settings under which git runs nothing of the repository's own (git-config(1)). */
function quiet(settings: readonly GitSetting[]): readonly string[] {
  const named = new Set(settings.filter((each) => each.section === 'hook' && each.subsection !== '').map((each) => each.subsection))
  return [
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'diff.external=',
    ...[...named].filter((each) => !each.includes('=')).map((each) => `hook.${each}.enabled=false`),
  ]
}

function settingsOf(record: CopyRecord, { user }: CommitWish): readonly GitSetting[] {
  return projectSettings(record.project, user)
}

function isFile(file: string): boolean {
  const kind = lstatSync(file, { throwIfNoEntry: false })
  return kind !== undefined && !kind.isDirectory()
}
