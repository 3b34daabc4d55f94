import { existsSync, lstatSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../../base/errors.ts'
import { printable } from '../../base/text.ts'
import { inDirectories } from '../../files/in-directory.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { hostProgram } from '../../system/host-program.ts'
import { identify, isRunning } from '../../system/process-identity.ts'
import { spawnSync } from '../../system/start-program.ts'
import type { Backend } from '../backend.ts'
import { hasInertMark } from '../plan/protected/inert-mark.ts'
import type { ChangeSummary } from '../report.ts'
import { moveConfigBack } from '../trees/config-aside.ts'
import { removeExclusions } from '../trees/git-exclude.ts'
import { toolWork } from '../trees/homes/tool-changes.ts'
import { settleViews } from '../trees/work-tree-views.ts'
import type { CellRecord, CellRegistry } from './cell-registry.ts'
import { endChanges } from './end-changes.ts'

/** Milliseconds to wait for another process that cleans up. After that, a start goes on without. */
const mostWaitMs = 60_000

type Sweepers = readonly Pick<Backend, 'name' | 'sweep'>[]

interface Told {
  /** Called with the changes in the trees of each cell. */
  readonly onSwept?: ((changes: ChangeSummary) => void) | undefined
  /** Called with one sentence for each cell that was left alone. */
  readonly notice?: ((line: string) => void) | undefined
}

/** Returns the records of cells whose Paddock was killed. */
export async function deadCells(registry: CellRegistry): Promise<readonly CellRecord[]> {
  const dead: CellRecord[] = []
  for (const record of registry.all()) if (record.host === null || !(await isRunning(record.host))) dead.push(record)
  return dead
}

/**
 * Cleans up after cells whose Paddock was killed. Lets the backend of each end and remove what is left of it, removes their run directories
 * and inert entries, and quarantines the files that they created and that would run later. `onSwept` is called with the changes of each
 * cell. Skips cells of unknown backends, and reports that once. If another process cleans up after a cell, waits until it has.
 * Returns the number of cells that this process cleaned up after.
 */
export async function sweep(registry: CellRegistry, backends: Sweepers, { onSwept, notice }: Told = {}): Promise<number> {
  const isKnown = (each: CellRecord): boolean => each.traces === undefined || backends.some(({ name }) => name === each.backend)
  let swept = 0
  const giveUp = Date.now() + mostWaitMs
  for (;;) {
    const dead = await deadCells(registry)
    for (const each of dead) if (!isKnown(each)) reportUnknown(each, notice)
    const left = dead.filter(isKnown)
    if (left.length === 0) return swept
    const claimed = await claim(registry, left)
    if (claimed === null && Date.now() > giveUp) return swept
    if (claimed === null) await setTimeout(20)
    else {
      swept++
      await sweepCell(registry, backends, claimed, onSwept)
    }
  }
}

/** The ids of cells that were reported to the user. */
const reported = new Set<string>()

function reportUnknown({ id, backend }: CellRecord, notice: Told['notice']): void {
  if (notice === undefined || reported.has(id)) return
  reported.add(id)
  notice(
    printable(
      `cell ${id} was left behind by a killed Paddock. This version has no backend ${backend}, so it does not clean up after the cell.`,
    ),
  )
}

/** Returns a cell that no other process cleans up after; null if there is none. */
async function claim(registry: CellRegistry, left: readonly CellRecord[]): Promise<CellRecord | null> {
  const own = await identify(process.pid)
  for (const each of left) {
    if (each.sweeper != null && (await isRunning(each.sweeper))) continue
    const isFirst = registry.alone(() => {
      const now = registry.all().find(({ id }) => id === each.id)
      if (now === undefined || now.sweeper?.started !== each.sweeper?.started) return false
      registry.write(each.id, { sweeper: own })
      return true
    })
    if (isFirst) return each
  }
  return null
}

async function sweepCell(registry: CellRegistry, backends: Sweepers, record: CellRecord, onSwept: Told['onSwept']): Promise<void> {
  let left = record
  try {
    if (record.traces !== undefined) await backends.find(({ name }) => name === record.backend)?.sweep(record.traces)
    let adopted = record.adopted ?? []
    settleViews(record.workTrees ?? [], null, (more) => {
      adopted = [...adopted, ...more]
      registry.write(record.id, { adopted })
    })
    removeInertEntries(registry, record)
    const ended = await endChanges(registry, { ...record, adopted }, {}, true)
    left = ended.record
    if (ended.changes !== null) onSwept?.(ended.changes)
  } finally {
    // The remains of one cell must not keep others from starting, whatever its tree contains.
    forget(registry, left)
  }
}

/** Returns the inert entries of all recorded cells. */
export function inertPathsIn(registry: CellRegistry): ReadonlySet<string> {
  return new Set(registry.all().flatMap((each) => each.inertPaths))
}

/** Removes the inert entries of a cell that has ended, except those that another running cell uses. */
export function removeInertEntries(registry: CellRegistry, record: CellRecord): void {
  if (record.inertPaths.length > 0) registry.alone(() => removeUnshared(registry, record))
}

function removeUnshared(registry: CellRegistry, record: CellRecord): void {
  const others = registry.all().filter((each) => each.id !== record.id)
  const othersExcludes = new Set(others.flatMap((each) => each.excludes ?? []))
  const othersPaths = new Set(others.flatMap((each) => each.inertPaths))
  const unshared = record.inertPaths.toReversed().filter((each) => !othersPaths.has(each))
  const contents = new Map(record.inert)
  // Entries inside other entries come first.
  removeInert(unshared, (each) => contents.get(each) ?? '')
  const excludes = (record.excludes ?? []).filter((each) => !othersExcludes.has(each))
  for (const each of excludes) removeExclusions(each, registry.tag)
  // A list that was created for the entries is empty now.
  const isMade = (file: string): boolean => excludes.some((each) => file === each || file === path.dirname(each))
  removeInert(unshared.filter(isMade), () => '')
}

/** Moves configs back into their places, except those that another cell needs aside. */
export function returnConfigs(registry: CellRegistry, { aside }: Pick<CellRecord, 'aside'>): void {
  const others = new Set(registry.all().flatMap((each) => each.aside ?? []))
  for (const each of aside ?? []) if (!others.has(each)) moveConfigBack(each)
}

/** Removes everything that an ended cell left. Its record is removed last. */
export function forget(registry: CellRegistry, record: CellRecord): void {
  removeDirectory(record.runDirectory)
  if (record.home !== undefined) for (const each of toolWork(record.home.path, record.home.rights, record.id)) removeDirectory(each)
  // The record is removed together with the entries. Otherwise two cells that end at once would each leave the entries that the other used.
  const last = (): void => {
    removeUnshared(registry, record)
    registry.remove(record.id)
    // After that, because a config in its place is not the recorded link. One that stays aside works, and the next cell moves it back.
    returnConfigs(registry, record)
  }
  if (record.inertPaths.length > 0 || (record.aside ?? []).length > 0) registry.alone(last)
  else last()
}

/** A failure must not stop the end of this cell, or the start of the next one. */
function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    // Node's needs a descriptor for each level of directories, and cells make these (`copy` entries).
    const rm = hostProgram('rm')
    if (rm !== null) spawnSync(rm, ['-rf', '--', directory], { stdio: 'ignore' })
  }
}

/** Removes only unchanged entries: an empty directory, or a file with only the inert content. */
function removeInert(files: readonly string[], contentOf: (file: string) => string): void {
  // An ending cell does this twice, and the second time the path is free. A dangling link is not one of the entries.
  const there = files.filter((each) => existsSync(each))
  inDirectories(there, (safe, file) => removeUnchanged(safe, contentOf(file)), leave)
}

function removeUnchanged(safe: string, content: string): void {
  const stat = lstatSync(safe, { throwIfNoEntry: false })
  if (stat?.isDirectory()) rmdirSync(safe)
  else if (stat?.isFile() && (content === '' ? stat.size === 0 : hasInertMark(stat) || readRegularSync(safe, 4096) === content))
    unlinkSync(safe)
}

/** Ignores errors for entries that are gone, in use, or unreachable. */
function leave(error: unknown): void {
  const code = codeOf(error) ?? ''
  if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EBUSY', 'EEXIST', 'EACCES', 'EPERM', 'ELOOP'].includes(code)) throw error
}
