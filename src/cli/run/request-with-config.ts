import { mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { printable } from '../../base/text.ts'
import type { Cell } from '../../cell/cell.ts'
import type { CellPlan } from '../../cell/plan/plan.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { RunCopy, RunCopyOptions } from '../../copy/for-run.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { projectAround } from '../../git/project.ts'
import type { Host } from '../../host.ts'
import type { SetupMeans } from '../../setup/set-up.ts'
import type { SetupWish } from '../../setup/wish.ts'
import type { OpenedWorktree } from '../../worktree/open-worktree.ts'
import { loadConfig, refuseUntrusted } from '../config/configured.ts'
import { workingDirectory } from '../working-directory.ts'
import type { IsGiven, RunOptions } from './options.ts'
import { hasNoRepository, startLine } from './run-lines.ts'
import { askedBy } from './run-request.ts'

/** Returns the request of the command line, with the settings from the user's configuration and from that of a trusted project. */
export async function asked(words: readonly string[], isCommand: boolean, options: RunOptions, isGiven: IsGiven, terminal: boolean) {
  const paths = resolvePaths(process.env)
  const cwd = workingDirectory()
  const project = projectAround(cwd, paths.userHome)
  const loaded = await loadConfig(project, paths, { projectFile: options.projectFile })
  refuseUntrusted(loaded)
  const setup = loaded.files.some((each) => each.config.setup !== undefined)
    ? (await import('../../setup/wish.ts')).setupWish(loaded.files)
    : null
  return { ...askedBy({ words, isCommand, terminal }, options, isGiven, loaded, paths), project, cwd, setup }
}

/** Returns a function that sets up a new tree of a project; null if the configuration has no setup. */
export function setUpOf(
  { setup, project: at }: { readonly setup: SetupWish | null; readonly project: string },
  host: Host,
  by: Pick<SetupMeans, 'say' | 'signal'>,
): ((tree: string) => Promise<readonly string[]>) | null {
  if (setup === null) return null
  return async (directory) => {
    const { setUp } = await import('../../setup/set-up.ts')
    // The first line of a run is about the cell of its agent.
    const startCell = host.cells({ onPlan: () => undefined })
    return setUp(setup, { directory, at }, { ...by, host: { ...host, startCell }, audit: host.audit.write })
  }
}

/** Makes a copy for the cell to work on instead of the project. */
export async function copyOf(
  spec: CellSpec,
  by: Omit<RunCopyOptions, 'signal'> & { readonly quiet: boolean; readonly signal: AbortSignal },
  host: Host,
): Promise<RunCopy> {
  const [{ copyForRun }, { cliCopyHost }] = await Promise.all([import('../../copy/for-run.ts'), import('../copy/command-copy-host.ts')])
  return copyForRun(spec, by, { ...cliCopyHost({ quiet: by.quiet }), machine: host.machine })
}

/** Returns where the cell works: the project, or with `--worktree` the work tree with this name. */
export async function placeOfRun(
  { project, cwd, worktreeCopy }: { readonly project: string; readonly cwd: string; readonly worktreeCopy: readonly string[] },
  { worktree: name, worktreeIn, dryRun }: RunOptions,
): Promise<{ readonly project: string; readonly cwd: string; readonly worktree: OpenedWorktree | null }> {
  if (name === undefined) {
    if (worktreeIn !== undefined)
      throw new PaddockError('BAD_INPUT', '--worktree-in requires --worktree.', { hint: 'paddock run --worktree NAME --worktree-in DIR …' })
    return { project, cwd, worktree: null }
  }
  if (dryRun === true)
    throw new PaddockError('BAD_INPUT', '--dry-run makes no work tree.', {
      hint: 'Leave --worktree out; the plan differs only in the directory of the project',
    })
  const [{ openWorktree }, { cliCopyHost }] = await Promise.all([
    import('../../worktree/open-worktree.ts'),
    import('../copy/command-copy-host.ts'),
  ])
  const within = worktreeIn === undefined ? null : realDirectory(path.resolve(cwd, worktreeIn))
  const worktree = await openWorktree({ project, name, within, copy: worktreeCopy }, cliCopyHost())
  const { directory } = worktree.record
  // The same directory as in the project, if the branch has it.
  const here = path.join(directory, path.relative(project, cwd))
  return { project: directory, cwd: kindBelow(directory, here) === 'directory' ? here : directory, worktree }
}

/** Creates a directory and returns it without links. */
function realDirectory(directory: string): string {
  mkdirSync(directory, { recursive: true })
  return realpathSync(directory)
}

/** Returns the last lines of a run in a work tree. */
export async function worktreeLines({ record }: OpenedWorktree): Promise<readonly string[]> {
  const [{ worktreeState }, { cliCopyHost }, { worktreeEndLines }] = await Promise.all([
    import('../../worktree/state.ts'),
    import('../copy/command-copy-host.ts'),
    import('../worktree/worktree-lines.ts'),
  ])
  try {
    return worktreeEndLines(record, await worktreeState(record, cliCopyHost()))
  } catch (error) {
    return [`work tree ${record.name} (${record.directory}) could not be compared: ${messageOf(error)}`]
  }
}

/** Starts a cell. If the start fails, deletes the copy that was made for it. */
export async function startOr(start: () => Promise<Cell>, copy: RunCopy | null): Promise<Cell> {
  try {
    return await start()
  } catch (error) {
    await copy?.discard()
    throw error
  }
}

/** Creates the private homes of a planned cell, and prints what is about to start. */
export function beforeStart(plan: CellPlan, isCommand: boolean, shown: (line: string) => void): void {
  for (const each of plan.filesystem)
    if (each.kind === 'bind' && each.reason === 'home') mkdirSync(each.source, { recursive: true, mode: 0o700 })
  shown(startLine(plan))
  for (const each of plan.notices) shown(printable(each))
  // Agents often start with git init.
  if (!isCommand && hasNoRepository(plan))
    shown('this directory has files and no .git, and git init fails in the cell; if you want a repository, run git init before')
}
