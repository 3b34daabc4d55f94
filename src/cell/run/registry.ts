import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { aloneIfPossible, type KernelLock, openKernelLock } from '../../files/kernel-lock.ts'
import type { ProcessIdentity } from '../../system/process-identity.ts'
import type { CellTraces } from '../backend.ts'
import type { RunLaterRow } from '../plan/protected/rows.ts'
import type { GitStart } from '../trees/hidden-in-git.ts'
import type { KnownEntry } from '../trees/known-entries.ts'

/** What is known of a running cell outside of the process that runs it. */
export interface CellRecord {
  readonly id: string
  /** The name of the backend that runs it. */
  readonly backend: string
  /** What that backend left on the host; absent before it began. */
  readonly traces?: CellTraces
  /** The inert entries that it is using, and what was made for them. */
  readonly ghosts: readonly string[]
  /** The Paddock that runs it. */
  readonly host: ProcessIdentity | null
  readonly startedAt: number
  readonly trees: readonly string[]
  /** The protected paths in these trees that existed before the cell or that were created for it. */
  readonly known: readonly KnownEntry[]
  /** What inert entries have in them, by their paths; the others are empty. Another Paddock may know other ones. */
  readonly inert: readonly (readonly [path: string, content: string])[]
  /** What agents ran or obeyed later for the Paddock that runs it. */
  readonly runLater: readonly RunLaterRow[]
  /** Where configurations of git sent it to in these trees when the cell started; absent in records of older versions. */
  readonly configured?: readonly string[]
  /** Git directories elsewhere that linked work trees among these belong to; absent in records of older versions. */
  readonly outerGits?: readonly string[]
  /** The configurations of the repositories in these trees and their marks (`gitConfigMark`); absent in records of older versions. */
  readonly gitConfigs?: readonly (readonly [path: string, mark: string | null])[]
  /** Absent in records of older versions. */
  readonly repositories?: readonly GitStart[]
  /** Lists of ignored files of git that name its inert entries (`git-exclude.ts`); absent in records of older versions. */
  readonly excludes?: readonly string[]
  readonly runDirectory: string
}

/** A file for each running cell, so that what a crash leaves behind is found (see `sweep.ts`). */
export interface CellRegistry {
  /** Tells it from those of other Paddocks, in what is written where others write too. */
  readonly tag: string
  /** Adds to what is known of a cell; the first time all of it. */
  write(id: string, more: Partial<CellRecord>): void
  remove(id: string): void
  all(): readonly CellRecord[]
  /** Runs `work` while no other process does so with this registry: who looks at the records and acts on what they say. */
  alone<T>(work: () => T): T
}

/** Such work takes a millisecond. Who waits longer waits for a process that was stopped, and goes on without it. */
const aloneMs = 2_000

/**
 * Records are JSON lines that only grow, each a part of the record: appending costs no wait for the disk, and what is
 * written is there after the process was killed.
 */
export function openRegistry(directory: string): CellRegistry {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let lock: KernelLock | null = null
  const file = (id: string): string => path.join(directory, `${id}.jsonl`)
  return {
    tag: createHash('sha256').update(directory).digest('hex').slice(0, 8),
    write: (id, more) => appendFileSync(file(id), `${JSON.stringify(more)}\n`, { mode: 0o600 }),
    remove: (id) => rmSync(file(id), { force: true }),
    all: () =>
      readdirSync(directory)
        .filter((name) => /^[0-9a-f]+\.jsonl$/.test(name))
        .flatMap((name) => parse(path.join(directory, name))),
    // A lock that another user of the machine made cannot be had.
    alone: (work) => aloneIfPossible(() => (lock ??= openKernelLock(`${directory}.lock`)), aloneMs, work),
  }
}

function parse(file: string): CellRecord[] {
  try {
    const parts = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => partOf(line))
    return parts[0]?.id === undefined ? [] : [Object.assign({ inert: [], runLater: [] }, ...parts) as CellRecord]
  } catch {
    // Removed meanwhile.
    return []
  }
}

/** The last line may be torn. */
function partOf(line: string): Partial<CellRecord>[] {
  try {
    return [JSON.parse(line) as Partial<CellRecord>]
  } catch {
    return []
  }
}
