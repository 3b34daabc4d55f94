import { PaddockError } from '../../base/errors.ts'
import { startGit } from '../start-git.ts'

export interface GitOutput {
  readonly status: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** Runs the user's own git in a project. */
export interface GitHere {
  /** Returns the output. */
  run(args: readonly string[], more?: { readonly input?: string | Buffer; readonly env?: Readonly<Record<string, string>> }): GitOutput
  /** Returns standard output without the line break at its end. Throws FILES_FAILED if git fails. */
  ask(args: readonly string[], more?: { readonly input?: string | Buffer; readonly env?: Readonly<Record<string, string>> }): string
}

const mostBytes = 512 * 1024 ** 2

/**
 * Returns the git of this environment. It reads objects as they are: without replacements, and without the commit graph, a cache that a
 * cell may have written (git-replace(1), git-commit-graph(1)). `program`: the path of git.
 */
export function gitHere(program: string, project: string, env: NodeJS.ProcessEnv): GitHere {
  const run: GitHere['run'] = (args, more = {}) => {
    const { status, stdout, stderr, error } = startGit(program, ['--no-replace-objects', '-c', 'core.commitGraph=false', ...args], {
      cwd: project,
      env: { ...env, ...more.env },
      maxBuffer: mostBytes,
      ...(more.input === undefined ? {} : { input: more.input }),
    })
    if (error !== undefined) throw new PaddockError('FILES_FAILED', `git could not be run: ${error.message}`)
    return { status, stdout, stderr: stderr.toString().trim() }
  }
  const ask: GitHere['ask'] = (args, more) => {
    const { status, stdout, stderr } = run(args, more)
    if (status !== 0) throw new PaddockError('FILES_FAILED', `git ${args[0]} failed: ${stderr || `exit ${status}`}`)
    return stdout.toString().replace(/\n$/, '')
  }
  return { run, ask }
}
