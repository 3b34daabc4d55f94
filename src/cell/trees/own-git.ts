import { PaddockError } from '../../base/errors.ts'
import { hostProgram, requireHostProgram } from '../../system/host-program.ts'
import { installHint } from '../../system/packages.ts'
import { execFile } from '../../system/start-program.ts'

const mostMs = 60_000
/** Maximum address space of git in bytes. */
const mostMemory = 2 * 1024 ** 3

/**
 * Runs git on the host for Paddock's own queries. Git uses a git directory that Paddock wrote and nobody else has touched, never the
 * project's and never one that was in a cell. So git uses no configuration, hook, filter, file-system monitor, pager or credential helper
 * that somebody planted (git-config(1)). It still reads index and ignore files, and the objects and the index in `places`, which are data.
 * `input` is git's standard input. Resolves with its output. `ok` lists the exit codes that are not failures.
 * @throws PaddockError `CELL_FAILED` if git is missing or fails
 */
export function ownGit(
  args: readonly string[],
  places: {
    readonly gitDirectory: string
    readonly workTree: string
    readonly searchPath: string
    readonly excludes?: string | null
    readonly objects?: string
    readonly index?: string
  },
  options: { readonly input?: Buffer; readonly ok?: readonly number[] } = {},
): Promise<Buffer> {
  const program = hostProgram('git', places.searchPath)
  if (program === null)
    throw new PaddockError('UNENFORCEABLE', 'git is not installed. It lists which files of the project are ignored.', {
      hint: `${installHint('git')}, or copy ignored files too: --copy-ignored`,
    })
  // A manipulated index or list of rules could make git use any amount of memory.
  const [command, ...bounds] =
    process.platform === 'linux'
      ? [requireHostProgram('prlimit', places.searchPath, 'to bound what git takes'), `--as=${mostMemory}`, '--', program]
      : [program]
  const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.untrackedCache=false', 'core.preloadIndex=false']
  if (places.excludes !== undefined && places.excludes !== null) settings.push(`core.excludesFile=${places.excludes}`)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const child = execFile(
    command ?? program,
    [
      ...bounds,
      ...settings.flatMap((each) => ['-c', each]),
      `--git-dir=${places.gitDirectory}`,
      `--work-tree=${places.workTree}`,
      '--no-pager',
      ...args,
    ],
    {
      cwd: places.workTree,
      encoding: 'buffer',
      maxBuffer: 512 * 1024 * 1024,
      timeout: mostMs,
      killSignal: 'SIGKILL',
      env: {
        PATH: '/usr/bin:/bin',
        HOME: '/nonexistent',
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_NO_LAZY_FETCH: '1',
        GIT_TERMINAL_PROMPT: '0',
        GIT_CEILING_DIRECTORIES: '/',
        GIT_NO_REPLACE_OBJECTS: '1',
        ...(places.objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: places.objects }),
        ...(places.index === undefined ? {} : { GIT_INDEX_FILE: places.index }),
      },
    },
    (error, stdout, stderr) => {
      if (error === null || (typeof error.code === 'number' && options.ok?.includes(error.code) === true)) return resolve(stdout)
      if (error.killed === true && error.code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        return reject(
          new PaddockError('FILES_FAILED', `git took longer than ${mostMs / 1000} s to list the files of ${places.workTree}.`, {
            hint: 'Look for large files there, such as the index or lists of ignored files. To delete a copy, run: paddock discard',
            cause: error,
          }),
        )
      const said = stderr.toString().trim().split('\n')[0] ?? ''
      reject(new PaddockError('FILES_FAILED', `git could not list the files of ${places.workTree}: ${said}`, { cause: error }))
    },
  )
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input ?? '')
  return promise
}

/** Returns the NUL-separated paths of a text, without those that are not UTF-8. */
export function pathsIn(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((each) => each !== '' && !each.includes('\ufffd'))
}
