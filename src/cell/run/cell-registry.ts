import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { aloneIfPossible, type KernelLock, openKernelLock } from '../../files/kernel-lock.ts'
import type { ProcessIdentity } from '../../system/process-identity.ts'
import type { CellTraces } from '../backend.ts'
import type { RunLaterRow } from '../plan/protected/row-kinds.ts'
import type { DeclaredSubmodules } from '../plan/submodules/declared.ts'
import type { WorkTreesView } from '../plan/work-trees-view.ts'
import type { ConfigStart } from '../trees/config-views.ts'
import type { HeldStart } from '../trees/held/held-start.ts'
import type { GitStart } from '../trees/hidden-in-git.ts'
import type { KnownEntry } from '../trees/known-entries.ts'

/** The information about a running cell that is stored outside the process that runs it. */
export interface CellRecord {
  readonly id: string
  /** The name of the cell, its project, and the mode of its egress. Absent in records of older versions. */
  readonly name?: string
  readonly project?: string | null
  readonly egress?: string
  /** True if the cell has its own terminal, so that its output is not kept. */
  readonly terminal?: boolean
  /** True if another process ends it on request. */
  readonly stopAsked?: boolean
  /** The name of the backend that runs the cell. */
  readonly backend: string
  /** The traces of that backend on the host. Absent before the backend has started. */
  readonly traces?: CellTraces
  /** The inert entries that the cell uses, and the files and directories that were created for them. */
  readonly inertPaths: readonly string[]
  /** The Paddock process that runs the cell. */
  readonly host: ProcessIdentity | null
  /** The process that cleans up after the cell, if its Paddock was killed. */
  readonly sweeper?: ProcessIdentity | null
  readonly startedAt: number
  readonly trees: readonly string[]
  /** The protected paths in these trees that existed before the cell or were created for it. */
  readonly known: readonly KnownEntry[]
  /** The contents of inert entries that are not empty, by path. Another version of Paddock may use other contents. */
  readonly inert: readonly (readonly [path: string, content: string])[]
  /** Files that agents run or obey later, according to the Paddock that runs the cell. */
  readonly runLater: readonly RunLaterRow[]
  /** Those of these trees in which nothing is protected (`rulesIn`). Absent in records of older versions. */
  readonly taskTrees?: readonly string[]
  /** Paths in these trees that git configurations named when the cell started. Absent in records of older versions. */
  readonly configured?: readonly string[]
  /** Outer git directories to which linked work trees among these trees belong. Absent in records of older versions. */
  readonly outerGits?: readonly string[]
  /** The views of linked work trees that were made for the cell. Absent in records of older versions. */
  readonly workTrees?: readonly WorkTreesView[]
  /** The entries of linked work trees that the cell created in these views. */
  readonly adopted?: readonly string[]
  /** Paths of the host that the user gave to the cell. Absent in records of older versions. */
  readonly shown?: readonly string[]
  /** Directories of the system and of toolchains that the cell could read. Absent in records of older versions. */
  readonly ofSystem?: readonly string[]
  /** Symbolic links in the git directories of these trees; null: not known. Absent in records of older versions. */
  readonly gitLinks?: readonly KnownEntry[] | null
  /** The configurations of the repositories in these trees and their marks (`gitConfigMark`). Absent in records of older versions. */
  readonly gitConfigs?: readonly (readonly [path: string, mark: string | null])[]
  /** Repositories in these trees at the start. Absent in records of older versions. */
  readonly repositories?: readonly GitStart[]
  /** Repositories with held paths at the start. Absent in records of older versions. */
  readonly held?: readonly HeldStart[]
  /** Git's lists of ignored files that contain the cell's inert entries (`git-exclude.ts`). Absent in records of older versions. */
  readonly excludes?: readonly string[]
  /** Submodules that the config of their repository did not name. Absent in records of older versions. */
  readonly submodules?: readonly DeclaredSubmodules[]
  /** Git directories whose configs are aside while the cell runs. Absent in records of older versions. */
  readonly aside?: readonly string[]
  /** Git directories in these trees that were in laundered form at the start. Absent in records of older versions. */
  readonly laundered?: readonly string[]
  /** The views of these configs, with the texts at the start. Absent in records of older versions. */
  readonly configs?: readonly ConfigStart[]
  /** The private home of the cell and the id of its rights (`idOfRights`). Absent if no other cell uses the home. */
  readonly home?: { readonly path: string; readonly rights: string }
  readonly runDirectory: string
  /** The directory with the records of work trees that Paddock made. Absent in records of older versions. */
  readonly worktrees?: string
}

/** The records of running cells, one file each, so that their remains can be found after a crash (see `sweep.ts`). */
export interface CellRegistry {
  /** Distinguishes this registry from those of other Paddocks, in files that they write too. */
  readonly tag: string
  /** A directory for the records of the commits that are the user's (`userTips`). */
  readonly userTips: string
  /** Adds to the record of a cell. The first call must write the whole record. */
  write(id: string, more: Partial<CellRecord>): void
  remove(id: string): void
  all(): readonly CellRecord[]
  /** Runs `work` while no other process does so with this registry, for code that reads the records and acts on them. */
  alone<T>(work: () => T): T
}

/** Milliseconds to wait. The work takes about one. If the other process was stopped and the wait ends, `work` runs without the lock. */
const aloneMs = 2_000

/**
 * Records are JSON lines that are only appended, each with a part of the record. Appending does not wait for the disk, and written lines
 * remain after the process is killed.
 */
export function openRegistry(directory: string): CellRegistry {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let lock: KernelLock | null = null
  const file = (id: string): string => path.join(directory, `${id}.jsonl`)
  return {
    tag: createHash('sha256').update(directory).digest('hex').slice(0, 8),
    userTips: path.join(path.dirname(directory), 'user-tips'),
    write: (id, more) => appendFileSync(file(id), `${JSON.stringify(more)}\n`, { mode: 0o600 }),
    remove: (id) => rmSync(file(id), { force: true }),
    all: () =>
      readdirSync(directory)
        .filter((name) => /^[0-9a-f]+\.jsonl$/.test(name))
        .flatMap((name) => parse(path.join(directory, name))),
    // The lock is not available if another user of the machine created it.
    alone: (work) => aloneIfPossible(() => (lock ??= openKernelLock(`${directory}.lock`)), aloneMs, work),
  }
}

function parse(file: string): CellRecord[] {
  try {
    const parts = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => partOf(line))
    if (parts[0]?.id === undefined) return []
    // Older versions called the paths of inert entries `ghosts`.
    const { ghosts = [], ...record } = Object.assign({ inert: [], runLater: [] }, ...parts) as CellRecord & { ghosts?: string[] }
    return [{ ...record, inertPaths: record.inertPaths ?? ghosts }]
  } catch {
    // The file was removed meanwhile.
    return []
  }
}

/** Returns the part of a record in a line; empty if the line is incomplete. */
function partOf(line: string): Partial<CellRecord>[] {
  try {
    return [JSON.parse(line) as Partial<CellRecord>]
  } catch {
    return []
  }
}
