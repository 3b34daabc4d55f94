import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { gitUserOf } from '../copy/copy-host.ts'
import { projectSettings } from '../copy/git-config.ts'
import { PaddockError } from '../errors.ts'
import { ofAnyRepository } from '../git/any-repository.ts'
import { gitPrograms } from '../git/programs.ts'
import { quietSettings } from '../git/quiet-settings.ts'
import { searchPathOutside } from '../system/search-path.ts'
import { findTool } from '../system/system-tools.ts'
import { printable } from '../text.ts'
import type { WorktreeHost } from './host.ts'

/** Settings with programs that git runs while it writes files, and that cannot be switched off without storing other content. */
const filters = /^filter\..*\.(smudge|process)$/

/**
 * Returns a function that runs the user's git in a project, without hooks and other programs of the repository, and returns its output.
 * The filters of the user run, because they decide what is in a file.
 * @throws PaddockError NOT_ALLOWED if git would run a program from the project, which an agent may have written; UNENFORCEABLE, FILES_FAILED
 */
export function userGit(project: string, host: WorktreeHost): (args: readonly string[]) => string {
  const outside = searchPathOutside(project, host.env['PATH'] ?? '')
  const program = findTool('git', outside)
  if (program === null) throw new PaddockError('UNENFORCEABLE', 'git is not installed.', { hint: 'Run: apt-get install git' })
  const settings = projectSettings(project, gitUserOf(host))
  // A word of a command may look like a path; only an existing file can be an agent's.
  const own = gitPrograms(project, settings).find((each) => filters.test(each.key) && existsSync(path.join(project, each.path)))
  if (own !== undefined)
    throw new PaddockError('NOT_ALLOWED', `To write the files, git would run ${own.path} of the project (${own.key}).`, {
      hint: 'Look at it, then make the work tree yourself and run Paddock in it: git worktree add ../NAME -b NAME',
    })
  // A running cell may replace a directory of logs by a link, and git would create a log through it.
  const still = [...quietSettings(settings), 'submodule.recurse=false', 'core.logAllRefUpdates=false'].flatMap((each) => ['-c', each])
  return (args) => {
    const { status, stdout, stderr } = spawnSync(program, ['-C', project, ...still, '--no-pager', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: { ...ofAnyRepository(host.env), PATH: outside, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status === 0) return stdout.trim()
    const said =
      stderr
        .trim()
        .split('\n')
        .at(-1)
        ?.replace(/^(?:fatal|error): /, '') ?? ''
    throw new PaddockError('FILES_FAILED', `git ${args[0]} ${args[1] ?? ''} failed: ${printable(said).slice(0, 300)}`)
  }
}
