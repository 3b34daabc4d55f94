import { existsSync } from 'node:fs'
import path from 'node:path'
import { gitUserOf } from '../copy/copy-host.ts'
import { projectSettings } from '../copy/git-config.ts'
import { PaddockError } from '../errors.ts'
import { ofAnyRepository } from '../git/any-repository.ts'
import { gitPrograms } from '../git/programs.ts'
import { quietSettings } from '../git/quiet-settings.ts'
import { hostProgram, hostSearchPath } from '../system/host-program.ts'
import { spawnSync } from '../system/start.ts'
import { printable } from '../text.ts'
import type { WorktreeHost } from './host.ts'

/** Settings with programs that git runs while it writes files, and that cannot be switched off without storing other content. */
export const filters = /^filter\..*\.(smudge|process)$/
/** The same for a merge. */
export const mergePrograms = /^(filter\..*\.(clean|smudge|process)|merge\..*\.driver|gpg\.(.*\.)?program|gpg\.ssh\.defaultkeycommand)$/

/**
 * Throws if git would run a program from the project for one of these settings. `comes`: paths that are about to be in the project.
 * @throws PaddockError NOT_ALLOWED
 */
export function refuseOwnPrograms(project: string, host: WorktreeHost, programs: RegExp, comes: ReadonlySet<string> = new Set()): void {
  // A word of a command may look like a path; only an existing file can be an agent's.
  const isThere = (each: string): boolean => comes.has(each) || existsSync(path.join(project, each))
  const found = gitPrograms(project, projectSettings(project, gitUserOf(host))).find(
    (each) => programs.test(each.key) && isThere(each.path),
  )
  if (found === undefined) return
  throw new PaddockError('NOT_ALLOWED', `To write the files, git would run ${found.path} of the project (${found.key}).`, {
    hint: `Look at ${found.path}, then use your own git: git worktree add ../NAME -b NAME, or git merge NAME`,
  })
}

/** The end of one git command. `status`: its exit code. */
export interface GitEnd {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Returns a function that runs the user's git as `triedGit` does, and returns its output.
 * @throws PaddockError as `triedGit`; FILES_FAILED if git fails
 */
export function userGit(project: string, host: WorktreeHost): (args: readonly string[]) => string {
  const git = triedGit(project, host, filters)
  return (args) => outputOf(args, git(args))
}

/** Returns the output of a git command. @throws PaddockError FILES_FAILED if it failed */
export function outputOf(args: readonly string[], { status, stdout, stderr }: GitEnd): string {
  if (status === 0) return stdout.trim()
  const last = stderr.trim().split('\n').at(-1)
  const said = last?.replace(/^(?:fatal|error): /, '') ?? ''
  throw new PaddockError('FILES_FAILED', `git ${args[0]} ${args[1] ?? ''} failed: ${printable(said).slice(0, 300)}`)
}

/**
 * Returns a function that runs the user's git in a project, without hooks and other programs of the repository. The filters of the user run,
 * because they decide what is in a file. `programs`: the settings whose programs git cannot do without.
 * @throws PaddockError NOT_ALLOWED if git would run a program from the project, which an agent may have written; UNENFORCEABLE
 */
export function triedGit(project: string, host: WorktreeHost, programs: RegExp): (args: readonly string[]) => GitEnd {
  const outside = hostSearchPath(host.env['PATH'] ?? '', [project])
  const program = hostProgram('git', outside)
  if (program === null) throw new PaddockError('UNENFORCEABLE', 'git is not installed.', { hint: 'Run: apt-get install git' })
  refuseOwnPrograms(project, host, programs)
  const settings = projectSettings(project, gitUserOf(host))
  // A running cell may replace a directory of logs by a link, and git would create a log through it.
  // Cells can write the commit graph, replacements and grafts, which change what git takes for the history of a commit.
  const own = ['submodule.recurse=false', 'core.logAllRefUpdates=false', 'core.commitGraph=false']
  const still = [...quietSettings(settings), ...own].flatMap((each) => ['-c', each])
  const history = { GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null' }
  return (args) => {
    const { status, stdout, stderr } = spawnSync(program, ['-C', project, ...still, '--no-pager', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: { ...ofAnyRepository(host.env), ...history, PATH: outside, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
      maxBuffer: 64 * 1024 * 1024,
    })
    return { status, stdout, stderr }
  }
}
