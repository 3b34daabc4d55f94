import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import type { Paths } from '../base/paths.ts'
import { contains } from '../cell/plan/filesystem.ts'
import { type CellRecord, openRegistry } from '../cell/run/cell-registry.ts'
import { takeLock } from '../files/lock.ts'
import { projectAround } from '../git/project.ts'
import { isRunning } from '../system/process-identity.ts'
import { listCopies, type UnreadableCopy } from './all-copies.ts'
import { copiesDirectory } from './copy-host.ts'
import { type CopyPlace, type CopyRecord, readRecord } from './copy-record.ts'

export interface Copy {
  readonly place: CopyPlace
  readonly record: CopyRecord
}

/**
 * Returns the copy that the arguments name: the one whose ID is the first argument, or else the newest of the project around `cwd`
 * (absolute, without links). `words` are the other arguments. A first argument that looks like an ID but names neither a copy nor a path is
 * refused.
 * @throws PaddockError `NOT_FOUND`
 */
async function chooseCopy(words: readonly string[], paths: Paths, cwd: string): Promise<Copy & { readonly words: readonly string[] }> {
  const { copies: all, unreadable } = await listCopies(copiesDirectory(paths))
  const broken = unreadable.find((each) => each.place.id === words[0])
  if (broken !== undefined)
    throw new PaddockError('FILES_FAILED', `Copy ${broken.place.id} cannot be used: ${broken.why}.`, {
      hint: `Copy what you need from ${broken.place.tree} by hand, then: paddock discard ${broken.place.id}`,
    })
  const named = all.find((each) => each.record.id === words[0])
  if (named !== undefined) return { ...named, words: words.slice(1) }
  const project = projectAround(cwd, paths.userHome)
  const newest = all.find((each) => each.record.project === project)
  if (newest !== undefined) {
    if (looksLikeId(words[0]) && !isPathOf(words[0], newest, cwd))
      throw new PaddockError('NOT_FOUND', `There is no copy ${words[0]}.`, { hint: 'To list the copies, run: paddock review --list' })
    return { ...newest, words }
  }
  throw new PaddockError('NOT_FOUND', `There is no copy of ${project}.`, {
    hint: 'Make one with: paddock run --copy …; paddock review --list shows the copies of other projects',
  })
}

function looksLikeId(word: string | undefined): word is string {
  return word !== undefined && /^[0-9a-z]{8}$/.test(word)
}

/** Returns true if this path exists in the project or its copy. No other path can have changed. */
function isPathOf(word: string, { place, record: { project } }: Copy, cwd: string): boolean {
  const relative = path.relative(project, path.resolve(contains(project, cwd) ? cwd : project, word))
  return [project, place.tree].some((each) => lstatSync(path.join(each, relative), { throwIfNoEntry: false }) !== undefined)
}

/** Returns the named copy if it cannot be read; null otherwise. */
export async function chooseUnreadable(words: readonly string[], paths: Paths): Promise<UnreadableCopy | null> {
  const { unreadable } = await listCopies(copiesDirectory(paths))
  return unreadable.find((each) => each.place.id === words[0]) ?? null
}

/**
 * Takes the lock of the copy's project and returns the copy with its record read under that lock, because another command may have changed
 * or deleted the copy since it was chosen.
 */
export async function holdCopy(
  words: readonly string[],
  paths: Paths,
  { cwd, command }: { readonly cwd: string; readonly command: string },
): Promise<Copy & { readonly words: readonly string[] } & Disposable> {
  const { place, record: seen, words: rest } = await chooseCopy(words, paths, cwd)
  const lock = await lockProject(seen.project, paths, command)
  const record = await readRecord(place)
  if (record !== null) return { place, record, words: rest, [Symbol.dispose]: () => lock[Symbol.dispose]() }
  lock[Symbol.dispose]()
  throw new PaddockError('NOT_FOUND', `Copy ${place.id} is gone: it was applied or discarded meanwhile.`, {
    hint: 'To list the copies, run: paddock review --list',
  })
}

/** The time in which other commands finish, in milliseconds. */
const commandPatienceMs = 5_000

/** Takes the lock of a project's copies, which allows one command at a time. Waits up to `patienceMs`, then throws BUSY. */
export function lockProject(project: string, paths: Paths, command: string, patienceMs = commandPatienceMs): Promise<Disposable> {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 24)
  return takeLock({
    file: path.join(copiesDirectory(paths), `${name}.lock`),
    what: `The list of copies of ${project}`,
    command,
    patienceMs,
  })
}

/**
 * `isWithGit`: cells count too that can write to the git directory of a linked work tree's repository.
 * @throws PaddockError `BUSY` while a running cell can write to one of these directories
 */
export async function refuseWhileRunning(directories: readonly string[], paths: Paths, isWithGit = false): Promise<void> {
  for (const each of openRegistry(path.join(paths.state, 'cells')).all()) {
    const written = isWithGit ? [...each.trees, ...(each.outerGits ?? [])] : each.trees
    const shared = written.find((tree) => directories.some((directory) => contains(tree, directory) || contains(directory, tree)))
    if (shared !== undefined && (await isAlive(each)))
      throw new PaddockError('BUSY', `A cell is running that can write to ${shared}.`, {
        hint: `Wait until it has ended, or end it with: paddock stop ${each.id}`,
      })
  }
}

/**
 * Throws while a cell can write the configuration of a repository: one that was made in a tree of the cell after its start, or is in a task
 * tree. Git obeys that configuration until the cell ends and Paddock takes what runs programs away. `git`: the git directory with the config.
 * @throws PaddockError `BUSY`
 */
export function refuseWhileConfigured(git: string, paths: Paths): void {
  const config = path.join(git, 'config')
  for (const { id, trees, gitConfigs = [] } of openRegistry(path.join(paths.state, 'cells')).all()) {
    if (!trees.some((each) => contains(each, config)) || gitConfigs.some(([each]) => each === config)) continue
    throw new PaddockError('BUSY', `A cell can write ${config}, which git would obey.`, {
      hint: `Wait until the cell has ended, or end it with: paddock stop ${id}`,
    })
  }
}

async function isAlive(record: CellRecord): Promise<boolean> {
  return record.host !== null && (await isRunning(record.host))
}
