import { PaddockError } from '../base/errors.ts'
import { printable } from '../base/text.ts'
import { gitUserOf } from '../copy/copy-host.ts'
import { projectSettings } from '../copy/git-config.ts'
import { ofAnyRepository } from '../git/any-repository.ts'
import { type FiltersOff, filtersOff } from '../git/filter-drivers.ts'
import { type MergeDriversOff, mergeDriversOff } from '../git/merge-drivers.ts'
import { quietSettings } from '../git/quiet-settings.ts'
import { startGit } from '../git/start-git.ts'
import { hostProgram, hostSearchPath } from '../system/host-program.ts'
import { installHint } from '../system/packages.ts'
import type { WorktreeHost } from './worktree-host.ts'

/** The end of one git command. `status`: its exit code. */
export interface GitEnd {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Returns the output of a git command. @throws PaddockError FILES_FAILED if it failed */
export function outputOf(args: readonly string[], { status, stdout, stderr }: GitEnd): string {
  if (status === 0) return stdout.trim()
  const last = stderr.trim().split('\n').at(-1)
  const said = last?.replace(/^(?:fatal|error): /, '') ?? ''
  throw new PaddockError('FILES_FAILED', `git ${args[0]} ${args[1] ?? ''} failed: ${printable(said).slice(0, 300)}`)
}

/** The user's git in a directory, without the programs that the configuration or the repository names. */
export interface UserGit {
  run(args: readonly string[]): GitEnd
  /** Returns the output. @throws PaddockError FILES_FAILED if git fails */
  ask(args: readonly string[]): string
  /** Runs git with bytes as input and output, and with further variables. The output is empty if git fails. */
  bytes(args: readonly string[], input: string | Buffer, env?: Readonly<Record<string, string>>): Buffer
  readonly filters: FiltersOff
  readonly drivers: MergeDriversOff
}

/**
 * Returns the user's git for a directory, without hooks, filters, merge drivers and other programs. Only git-lfs runs. `project`: the
 * project of a work tree.
 * @throws PaddockError UNENFORCEABLE if git is not installed
 */
export function userGit(directory: string, host: WorktreeHost, project = directory): UserGit {
  const outside = hostSearchPath(host.env['PATH'] ?? '', [directory, project])
  const program = hostProgram('git', outside)
  if (program === null) throw new PaddockError('UNENFORCEABLE', 'git is not installed.', { hint: installHint('git') })
  const settings = projectSettings(directory, gitUserOf(host))
  // A running cell may replace a directory of logs by a link, and git would create a log through it.
  // Cells can write the commit graph, replacements and grafts, which change what git takes for the history of a commit.
  const own = ['submodule.recurse=false', 'core.logAllRefUpdates=false', 'core.commitGraph=false']
  const still = [...quietSettings(settings), ...own].flatMap((each) => ['-c', each])
  // A cell may have removed objects, and made the repository with a remote of its choice. No setting overrides an empty list of protocols.
  const local = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' }
  const history = { GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null' }
  const env = { ...ofAnyRepository(host.env), ...history, ...local, PATH: outside, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' }
  const start = (args: readonly string[], input: string | Buffer, more: Readonly<Record<string, string>>) =>
    startGit(program, ['-C', directory, ...still, '--no-pager', ...args], {
      input,
      env: { ...env, ...more },
      maxBuffer: 256 * 1024 * 1024,
    })
  const bytes: UserGit['bytes'] = (args, input, more = {}) => {
    const { status, stdout } = start(args, input, more)
    return status === 0 ? stdout : Buffer.alloc(0)
  }
  const filters = filtersOff({ git: bytes, searchPath: outside, project: directory, way: 'smudge' })
  const drivers = mergeDriversOff(bytes)
  const run: UserGit['run'] = (args) => {
    const off = { ...filters.env, ...drivers.env }
    const { status, stdout, stderr } = start([...filters.options, ...drivers.options, ...args], '', off)
    return { status, stdout: String(stdout ?? ''), stderr: String(stderr ?? '') }
  }
  return { run, ask: (args) => outputOf(args, run(args)), bytes, filters, drivers }
}
