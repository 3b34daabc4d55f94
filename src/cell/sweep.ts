import { lstatSync, rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../files/in-directory.ts'
import { isRunning } from '../files/process-identity.ts'
import { readRegularSync } from '../files/read-regular.ts'
import { changesSince } from './changes.ts'
import { signal } from './process-tree.ts'
import type { CellRecord, CellRegistry } from './registry.ts'
import { runLater, runLaterOfGit } from './run-later.ts'

/** The records of cells whose Paddock was killed. */
export async function deadCells(registry: CellRegistry): Promise<readonly CellRecord[]> {
  const dead: CellRecord[] = []
  for (const record of registry.all()) if (record.host === null || !(await isRunning(record.host))) dead.push(record)
  return dead
}

/**
 * Cleans up after cells whose Paddock was killed: ends what is left of them, removes their control groups, run
 * directories and inert entries, and moves aside what they made that would run later. Returns how many there were.
 */
export async function sweep(registry: CellRegistry): Promise<number> {
  let swept = 0
  for (const record of await deadCells(registry)) {
    swept++
    try {
      for (const each of record.processes) if (await isRunning(each)) signal(each.pid, 'SIGKILL')
      for (const each of record.processes) for (let tries = 0; tries < 100 && (await isRunning(each)); tries++) await pause(20)
      for (const each of record.cgroups) attempt(() => rmdirSync(each))
      for (const each of record.trees) await changesSince(each, record.startedAt, record.known, othersGhosts(registry, record.id))
    } finally {
      // Whatever is in a tree, one cell's leftovers must not keep others from starting.
      forget(registry, record)
    }
  }
  return swept
}

/** The inert entries of all cells that are recorded. */
export function ghostsIn(registry: CellRegistry): ReadonlySet<string> {
  return new Set(registry.all().flatMap((each) => each.ghosts))
}

/** The inert entries that other cells than this one stand on. */
export function othersGhosts(registry: CellRegistry, id: string): ReadonlySet<string> {
  return new Set(registry.all().flatMap((each) => (each.id === id ? [] : each.ghosts)))
}

/** Removes the inert entries of a cell that has ended, but for those that another running cell stands on. */
export function removeGhosts(registry: CellRegistry, record: CellRecord): void {
  if (record.ghosts.length > 0) registry.alone(() => removeUnshared(registry, record))
}

function removeUnshared(registry: CellRegistry, record: CellRecord): void {
  const others = othersGhosts(registry, record.id)
  // What lies in another one first.
  for (const each of record.ghosts.toReversed()) if (!others.has(each)) removeGhost(each)
}

/** Removes the traces of a cell that has ended, and its record last. */
export function forget(registry: CellRegistry, record: CellRecord): void {
  rmSync(record.runDirectory, { recursive: true, force: true })
  // Of two cells that end at once each would leave what the other stands on, were the record not removed together with it.
  const last = (): void => {
    removeUnshared(registry, record)
    registry.remove(record.id)
  }
  if (record.ghosts.length > 0) registry.alone(last)
  else last()
}

const inert = new Map([...runLater, ...runLaterOfGit].map((each) => [path.basename(each.path), each.inert]))

/** Only what is still as it was made: an empty directory, or a file with nothing but the inert content. */
function removeGhost(file: string): void {
  attempt(() =>
    inDirectory(file, (safe) => {
      const stat = lstatSync(safe, { throwIfNoEntry: false })
      if (stat?.isDirectory()) rmdirSync(safe)
      else if (stat?.isFile() && readRegularSync(safe, 16) === (inert.get(path.basename(file)) ?? '')) rmSync(safe)
    }),
  )
}

function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EBUSY', 'EEXIST', 'EACCES', 'EPERM', 'ELOOP'].includes(code)) throw error
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
