import { closeSync, constants, lstatSync, openSync, realpathSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { isHeld, takeLock } from '../../files/lock.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { isSafeName } from '../../files/safe-name.ts'
import { treeSize } from '../../files/tree-size.ts'
import type { Layout } from '../config/contest-layout.ts'
import { readMapping } from '../judging/mapping.ts'
import { readSeal } from '../seal/read-seal.ts'
import { contestAt } from '../state/contest-at.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock, yourLock } from '../state/contest-lock.ts'
import { type ContestStatus, readStatus } from '../state/contest-state.ts'
import { isComplete } from '../state/counted-judging.ts'
import { readStarts } from '../state/round-start.ts'
import { scratchOf, yourScratchOf } from '../state/scene.ts'

type What =
  | 'sealed work directory'
  | 'scratch directory'
  | 'old attempt'
  | 'logs of an old judging'
  | 'old judging'
  | 'old round'
  | 'logs of an old consultation'
  | 'old consultation'

export interface Removed {
  readonly what: What
  /** The path relative to the contest, or an absolute path if it is outside the contest. */
  readonly path: string
  readonly bytes: number
}

export interface Removal {
  readonly schemaVersion: 1
  readonly dryRun: boolean
  readonly removed: readonly Removed[]
  readonly bytes: number
  /** The size of the contest's directory before the removal. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

interface Candidate {
  readonly what: What
  readonly at: string
}

/**
 * `contest clean`: removes files that are never needed again: work directories whose files are in a seal, and files that a killed Paddock
 * left in its state directory.
 */
export async function cleanContest(directory: string, deps: Pick<ContestDeps, 'paths'>, { dryRun }: { dryRun: boolean }): Promise<Removal> {
  return await remove(directory, deps, 'clean', dryRun, async (layout, status) => [
    ...(await sealedWork(layout, status)),
    { what: 'scratch directory', at: scratchOf(deps, layout.root) },
    ...((await isHeld(await yourLock(layout, deps.paths)))
      ? []
      : [{ what: 'scratch directory', at: yourScratchOf(deps, layout.root) } as const]),
  ])
}

/**
 * `contest prune`: removes attempts and logs of judgings and consultations that no longer count. Seals, scores and reports stay. With `all`
 * it also removes earlier rounds, judgings and consultations, but no report. With `changedBefore` it removes only directories in which
 * nothing was created or removed since then.
 */
export async function pruneContest(
  directory: string,
  deps: Pick<ContestDeps, 'paths'>,
  { dryRun, all, changedBefore }: { dryRun: boolean; all: boolean; changedBefore?: Date },
): Promise<Removal> {
  const find = async (layout: Layout, status: ContestStatus | null): Promise<Candidate[]> =>
    status === null
      ? []
      : [...(await oldRounds(layout, status, all)), ...(await oldJudgings(layout, status, all)), ...(await oldConsultations(layout, all))]
  return await remove(directory, deps, 'prune', dryRun, find, changedBefore)
}

async function remove(
  directory: string,
  { paths }: Pick<ContestDeps, 'paths'>,
  step: 'clean' | 'prune',
  dryRun: boolean,
  find: (layout: Layout, status: ContestStatus | null) => Promise<Candidate[]>,
  changedBefore?: Date,
): Promise<Removal> {
  const layout = await contestAt(directory)
  using _lock = dryRun
    ? null
    : await takeLock({ file: await contestLock(layout, paths), what: `The contest in ${layout.root}`, command: `paddock contest ${step}` })
  const bytesBefore = await treeSize(layout.root)
  const removed: Removed[] = []
  for (const { what, at } of await find(layout, await readStatus(layout))) {
    const parent = openParent(layout.root, at)
    if (parent === null) continue
    try {
      const facts = lstatSync(parent.at, { throwIfNoEntry: false })
      if (facts?.isDirectory() !== true || (changedBefore !== undefined && facts.mtime >= changedBefore)) continue
      const inside = at.startsWith(layout.root + path.sep)
      removed.push({ what, path: inside ? path.relative(layout.root, at) : at, bytes: await treeSize(parent.at) })
      if (!dryRun) await removeTree(parent.at)
    } finally {
      closeSync(parent.descriptor)
    }
  }
  const bytes = removed.reduce((sum, each) => sum + each.bytes, 0)
  return { schemaVersion: 1, dryRun, removed, bytes, bytesBefore, bytesAfter: dryRun ? bytesBefore : await treeSize(layout.root) }
}

/**
 * Returns the `out` of attempts with a complete seal and archive. Attempts that will be sealed again, or whose files exist nowhere else,
 * are excluded.
 */
async function sealedWork(layout: Layout, status: ContestStatus | null): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const { round, name, attempts } of await allAttempts(layout)) {
    const seal = await readSeal(layout, round, name)
    if (seal?.state !== 'sealed' || !attempts.includes(seal.attempt)) continue
    const state = round === status?.round ? status.participants[name]?.state : 'checked'
    if (
      state === 'ended' ||
      state === 'running' ||
      !(await isThere(layout.sealed(round, name)[seal.schemaVersion === 1 ? 'out' : 'archive']))
    )
      continue
    found.push({ what: 'sealed work directory', at: layout.attempt(round, name, seal.attempt).out })
  }
  return found
}

async function oldRounds(layout: Layout, status: ContestStatus, all: boolean): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const { round, name, attempts } of await allAttempts(layout)) {
    if (all && round !== status.round) continue
    const counts =
      round === status.round ? [status.participants[name]?.attempt ?? attempts.at(-1), (await readSeal(layout, round, name))?.attempt] : []
    for (const each of attempts.filter((one) => !counts.includes(one)))
      found.push({ what: 'old attempt', at: path.dirname(layout.attempt(round, name, each).out) })
  }
  if (!all) return found
  // Participants that run again in this round need the rounds that they start from.
  const needed = Object.values(await readStarts(layout, status.round)).flatMap(({ from, donors }) => [from, ...donors])
  const rounds = (await numbersIn(layout.rounds)).filter((each) => each !== status.round && !needed.some((one) => one?.round === each))
  return [...found, ...rounds.map((each): Candidate => ({ what: 'old round', at: path.join(layout.rounds, String(each)) }))]
}

async function oldJudgings(layout: Layout, { round, judging, tasks, complete }: ContestStatus, all: boolean): Promise<Candidate[]> {
  const newest = await readMapping(layout.mapping(judging))
  const counts = newest !== null && isComplete(tasks) ? judging : complete?.judging
  const isOld = (each: number): boolean => each !== judging && each !== counts
  if (!all)
    return (await allTasks(layout))
      .filter((each) => isOld(each.judging))
      .map(({ attempts }) => ({ what: 'logs of an old judging', at: attempts }))
  const old = (await numbersIn(layout.judgings)).filter(isOld)
  const yours = (await numbersIn(path.dirname(layout.yours(round).directory))).filter((each) => each !== round)
  return [...old.map((each) => path.join(layout.judgings, String(each))), ...yours.map((each) => layout.yours(each).directory)].map(
    (at) => ({
      what: 'old judging',
      at,
    }),
  )
}

/** Returns the reviewers' files of all but the newest consultation. Their reviews are also in the rounds that started with them. */
async function oldConsultations(layout: Layout, all: boolean): Promise<Candidate[]> {
  const old = (await numbersIn(layout.consultations)).slice(0, -1)
  if (all) return old.map((each) => ({ what: 'old consultation', at: path.join(layout.consultations, String(each)) }))
  const found: Candidate[] = []
  for (const each of old)
    for (const name of await namesIn(path.join(layout.consultations, String(each))))
      found.push({ what: 'logs of an old consultation', at: layout.reviewers(each, name) })
  return found
}

async function allAttempts(layout: Layout): Promise<{ round: number; name: string; attempts: number[] }[]> {
  const found: { round: number; name: string; attempts: number[] }[] = []
  for (const round of await numbersIn(layout.rounds))
    for (const name of await namesIn(path.join(layout.rounds, String(round))))
      found.push({ round, name, attempts: await numbersIn(layout.attempts(round, name)) })
  return found
}

async function allTasks(layout: Layout): Promise<{ judging: number; attempts: string }[]> {
  const found: { judging: number; attempts: string }[] = []
  for (const judging of await numbersIn(layout.judgings))
    for (const name of await namesIn(path.join(layout.judgings, String(judging))))
      for (const id of await namesIn(layout.tasks(judging, name)))
        found.push({ judging, attempts: layout.task(judging, name, id).attempts })
  return found
}

const namesIn = async (directory: string): Promise<string[]> => (await readdir(directory).catch(() => [])).filter(isSafeName)

async function numbersIn(directory: string): Promise<number[]> {
  const names = await readdir(directory).catch(() => [])
  return names
    .filter((each) => /^[1-9]\d{0,8}$/.test(each))
    .map(Number)
    .toSorted((a, b) => a - b)
}

/**
 * Opens the directory that contains a file of a contest, with no link in its path, and returns the path through that descriptor. A cell
 * that can write in the contest could otherwise create a link there in the meantime. Null if there is a link, or no directory.
 */
function openParent(root: string, file: string): { readonly descriptor: number; readonly at: string } | null {
  const inside = file.startsWith(root + path.sep)
  const directory = path.dirname(file)
  let descriptor: number | null = null
  try {
    const expected = inside ? path.join(realpathSync(root), path.relative(root, directory)) : realpathSync(directory)
    descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
    const base = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : directory
    if (realpathSync(base) === expected) return { descriptor, at: path.join(base, path.basename(file)) }
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error) ?? '')) throw error
  }
  if (descriptor !== null) closeSync(descriptor)
  return null
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null
}
