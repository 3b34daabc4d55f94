import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { rulesOfHost } from '../../adapters/facts.ts'
import { contains } from '../../cell/plan/filesystem.ts'
import { type CellRecord, openRegistry } from '../../cell/run/registry.ts'
import { ghostsIn } from '../../cell/run/sweep.ts'
import { listCopies, type UnreadableCopy } from '../../copy/all-copies.ts'
import { type Recovered, recover } from '../../copy/applying/undo.ts'
import type { Manifest } from '../../copy/manifest.ts'
import { isAtOrBelow } from '../../copy/names.ts'
import { type CopyPlace, type CopyRecord, readManifest, readRecord } from '../../copy/record.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import { marksOf } from '../../copy/reviewing/marks.ts'
import { type Scan, scanCopy } from '../../copy/reviewing/scan.ts'
import { PaddockError } from '../../errors.ts'
import { takeLock } from '../../files/lock.ts'
import { isRunning } from '../../files/process-identity.ts'
import { type GitUser, gitUser } from '../../git/settings.ts'
import { userExcludes } from '../../git/user-excludes.ts'
import type { Paths } from '../../paths.ts'
import { projectAround } from '../project.ts'
import { noProgress, progressLine } from '../terminal/progress-line.ts'
import { completeApply } from './complete-apply.ts'

/** A quarter of a second each. */

export interface Copy {
  readonly place: CopyPlace
  readonly record: CopyRecord
}

export interface OpenCopy extends Copy {
  readonly base: Manifest
  readonly scan: Scan
  /** What an interrupted apply came to, where there was one. */
  readonly recovered: Recovered | null
}

/** The user of this process, to git. */
export function gitUserOf(paths: Paths, env: NodeJS.ProcessEnv): GitUser {
  return gitUser({ home: paths.userHome, name: paths.userName }, env)
}

export function copiesDirectory(paths: Paths): string {
  return path.join(paths.state, 'copies')
}

/**
 * The copy that a command line means: the first word where it is the id of one, else the newest of the project around
 * the working directory. `words` are the others.
 * @throws PaddockError `BAD_INPUT` where there is none
 */
async function chooseCopy(words: readonly string[], paths: Paths): Promise<Copy & { readonly words: readonly string[] }> {
  const { copies: all, unreadable } = await listCopies(copiesDirectory(paths))
  const broken = unreadable.find((each) => each.place.id === words[0])
  if (broken !== undefined)
    throw new PaddockError('FILES_FAILED', `Copy ${broken.place.id} cannot be used: ${broken.why}.`, {
      hint: `Take what you need out of ${broken.place.tree} by hand, then: paddock discard ${broken.place.id}`,
    })
  const named = all.find((each) => each.record.id === words[0])
  if (named !== undefined) return { ...named, words: words.slice(1) }
  const project = projectAround(realpathSync(process.cwd()), paths.userHome)
  const newest = all.find((each) => each.record.project === project)
  if (newest !== undefined) return { ...newest, words }
  throw new PaddockError('NOT_FOUND', `There is no copy of ${project}.`, {
    hint: 'Make one with: paddock run --copy …; paddock review --list shows the copies of other projects.',
  })
}

/** The copy that is named and cannot be read; null: none is. */
export async function chooseUnreadable(words: readonly string[], paths: Paths): Promise<UnreadableCopy | null> {
  const { unreadable } = await listCopies(copiesDirectory(paths))
  return unreadable.find((each) => each.place.id === words[0]) ?? null
}

/**
 * The same, with the lock of its project, and its record as it is under that lock: another command may have changed or
 * deleted the copy since it was chosen.
 */
export async function holdCopy(
  words: readonly string[],
  paths: Paths,
  command: string,
): Promise<Copy & { readonly words: readonly string[] } & Disposable> {
  const { place, record: seen, words: rest } = await chooseCopy(words, paths)
  const lock = await lockProject(seen.project, paths, command)
  const record = await readRecord(place)
  if (record !== null) return { place, record, words: rest, [Symbol.dispose]: () => lock[Symbol.dispose]() }
  lock[Symbol.dispose]()
  throw new PaddockError('NOT_FOUND', `Copy ${place.id} is gone: it was applied or discarded meanwhile.`, {
    hint: 'paddock review --list shows the copies.',
  })
}

/** Under the lock of the project's copies: brings an interrupted apply to its end; looks at what changed. */
export async function openCopy(
  copy: Copy,
  context: { readonly paths: Paths; readonly env: NodeJS.ProcessEnv },
  isQuiet = false,
): Promise<OpenCopy> {
  using progress = isQuiet ? noProgress : progressLine('comparing the copy', 'files')
  const { place } = copy
  const recovered = await recoverCopy(copy, context.paths)
  // An interrupted apply may have left word in it for the next.
  const record = recovered === null ? copy.record : ((await readRecord(place)) ?? copy.record)
  const base = await readManifest(place)
  const user = gitUserOf(context.paths, context.env)
  const scan = await scanCopy(place, record, base, {
    marks: marksOf(record.project, user, rulesOfHost),
    searchPath: context.env['PATH'] ?? '',
    excludes: userExcludes(user),
    ghosts: ghostsIn(openRegistry(path.join(context.paths.state, 'cells'))),
    onEntry: progress.step,
  })
  return { place, record, base, scan, recovered }
}

/** Brings an interrupted apply to its end, with its commit and its word in the audit log. Under the lock. `record`: null where it cannot be read. */
export async function recoverCopy(
  { place, record }: { readonly place: CopyPlace; readonly record: CopyRecord | null },
  paths: Paths,
): Promise<Recovered | null> {
  const recovered = await recover(place)
  if (recovered?.journal) await completeApply(place, record, recovered.journal, paths, true)
  return recovered
}

/** What there is to say of an interrupted apply that was brought to its end. */
export function recoveredLines(id: string, recovered: Recovered | null): readonly string[] {
  if (recovered === null) return []
  const beside = recovered.beside.map(
    (each) => `${each.path} was changed since, and is left so; what it was before that apply is in ${each.old}`,
  )
  return [`an apply of ${id} that was interrupted has been ${recovered.how}`, ...beside]
}

/** One at a time for each project. The end of a run comes when it comes, so it waits for whoever has it. */
export function lockProject(project: string, paths: Paths, command: string, patienceMs = 0): Promise<Disposable> {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 24)
  return takeLock({
    file: path.join(copiesDirectory(paths), `${name}.lock`),
    what: `The list of copies of ${project}`,
    command,
    patienceMs,
  })
}

/** @throws PaddockError `BUSY` while a cell runs that can write to one of these directories */
export async function refuseWhileRunning(directories: readonly string[], paths: Paths): Promise<void> {
  for (const each of openRegistry(path.join(paths.state, 'cells')).all()) {
    const shared = each.trees.find((tree) => directories.some((directory) => contains(tree, directory) || contains(directory, tree)))
    if (shared !== undefined && (await isAlive(each)))
      throw new PaddockError('BUSY', `A cell is running that can write to ${shared}.`, {
        hint: `Wait until it has ended${each.host === null ? '' : `, or end it with: kill ${each.host.pid}`}.`,
      })
  }
}

async function isAlive(record: CellRecord): Promise<boolean> {
  return record.host !== null && (await isRunning(record.host))
}

/**
 * The changes that paths of a command line (relative to the working directory) name: each a file or a directory. All
 * without any. `named` are those that were named by their very path.
 * @throws PaddockError `BAD_INPUT` for a path that names none
 */
export function selectChanges(
  changes: readonly Change[],
  words: readonly string[],
  project: string,
): { readonly changes: readonly Change[]; readonly named: ReadonlySet<string> } {
  if (words.length === 0) return { changes, named: new Set() }
  const cwd = realpathSync(process.cwd())
  const from = contains(project, cwd) ? cwd : project
  const wanted = new Set<string>()
  for (const each of words) {
    const relative = path.relative(project, path.resolve(from, each))
    if (!changes.some((change) => isAtOrBelow(change.path, new Set([relative]))))
      throw new PaddockError('BAD_INPUT', `${each}: nothing changed there.`, { hint: 'paddock review --stat lists what changed.' })
    wanted.add(relative)
  }
  return { changes: changes.filter((each) => isAtOrBelow(each.path, wanted)), named: wanted }
}
