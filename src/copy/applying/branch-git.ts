import { PaddockError } from '../../base/errors.ts'
import { ofAnyRepository } from '../../git/any-repository.ts'
import { type FiltersOff, filtersOff } from '../../git/filter-drivers.ts'
import { startGit } from '../../git/start-git.ts'
import { hostProgram, hostSearchPath } from '../../system/host-program.ts'
import { installHint } from '../../system/packages.ts'
import type { GitAt, GitEnd } from './attributed-tree.ts'

/** The user's git for a branch that is made beside the work tree. */
export interface BranchGit {
  run(args: readonly string[], input?: string | Buffer): GitEnd
  /** Runs git with another work tree, and with the options that switch filters off. */
  readonly at: GitAt
  readonly filters: FiltersOff
}

/**
 * Returns git for a project, without hooks, filters and other programs of the repository. `env`: the environment of the user's git.
 * @throws PaddockError UNENFORCEABLE if git is not installed
 */
export function branchGit(project: string, env: NodeJS.ProcessEnv): BranchGit {
  const searchPath = env['PATH'] ?? ''
  const outside = hostSearchPath(searchPath, [project])
  const program = hostProgram('git', searchPath, [project])
  if (program === null)
    throw new PaddockError('UNENFORCEABLE', 'git is not installed, so no branch can be made.', {
      hint: `${installHint('git')}, or leave --branch out`,
    })
  const still = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'].flatMap((each) => ['-c', each])
  const quiet = { ...ofAnyRepository(env), PATH: outside, GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1', LC_ALL: 'C' }
  const start = (
    where: readonly string[],
    args: readonly string[],
    input: string | Buffer,
    more: NodeJS.ProcessEnv,
    cwd?: string,
  ): GitEnd => {
    const { status, stdout, stderr } = startGit(program, [...where, ...still, '--no-pager', ...args], {
      input,
      env: { ...quiet, ...more },
      ...(cwd === undefined ? {} : { cwd }),
      maxBuffer: 512 * 1024 * 1024,
    })
    return { status, stdout: stdout ?? Buffer.alloc(0), stderr: stderr?.toString().trim().split('\n')[0] ?? '' }
  }
  const run: BranchGit['run'] = (args, input = '') => start(['-C', project], args, input, {})
  const directory = run(['rev-parse', '--absolute-git-dir']).stdout.toString().trim()
  const filters = filtersOff({ git: (args) => run(args).stdout, searchPath, project, way: 'clean' })
  return {
    run,
    filters,
    at: (workTree, args, input) =>
      start(
        [`--git-dir=${directory}`, `--work-tree=${workTree}`, ...filters.options],
        args,
        input,
        { ...filters.env, GIT_INDEX_FILE: `${workTree}.index` },
        workTree,
      ),
  }
}
