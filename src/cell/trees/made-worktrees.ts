import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readRegularSync } from '../../files/read-regular.ts'
import { lstatOrNull } from '../../files/tree-names.ts'
import { type KnownEntry, knownEntries } from './known-entries.ts'

/** A file by which git finds a linked work tree, in its git directory: path, inode, creation and change (milliseconds since the epoch). */
type Entry = [path: string, inode: number, bornMs: number, changedMs: number]

/** The part of the record of a work tree (`worktree/worktree-record.ts`) that counts here. */
interface MadeRecord {
  readonly isReady: boolean
  readonly createdAt: string
  readonly entries: readonly Entry[]
}

/** How long the end of a cell waits for a work tree that is being made. */
const mostMs = 60_000

/** Returns what identifies the git directory (`worktrees/NAME`) of a work tree that Paddock has just made. */
export function worktreeEntries(own: string): Entry[] {
  return ['commondir', 'gitdir'].flatMap((each): Entry[] => {
    const file = path.join(own, each)
    const stat = lstatOrNull(file)
    return stat === null ? [] : [[file, stat.ino, stat.birthtimeMs, stat.ctimeMs]]
  })
}

/**
 * Returns these entries of all work trees that Paddock made and that nobody has changed since, so that a cell that ends does not quarantine
 * those that were made while it ran. Waits for those that are being made. `records`: the directory with the records of work trees.
 */
export async function madeWorktrees(records: string): Promise<readonly KnownEntry[]> {
  let all = recordsIn(records)
  const isBeingMade = (): boolean => all.some((each) => !each.isReady && Date.now() - Date.parse(each.createdAt) < mostMs)
  while (isBeingMade()) {
    await setTimeout(50)
    all = recordsIn(records)
  }
  return all.flatMap(({ entries }) => {
    const isSame = entries.every(([file, inode, born, changed]) => {
      const stat = lstatOrNull(file)
      return stat !== null && stat.ino === inode && stat.birthtimeMs === born && stat.ctimeMs === changed
    })
    return isSame ? knownEntries([...new Set(entries.flatMap(([file]) => [path.dirname(file), file]))]) : []
  })
}

function recordsIn(directory: string): readonly MadeRecord[] {
  const files = namesIn(directory).flatMap((each) => namesIn(path.join(directory, each)).map((name) => path.join(directory, each, name)))
  return files.flatMap((each) => {
    try {
      const value: unknown = each.endsWith('.json') ? JSON.parse(readRegularSync(each, 64 * 1024) ?? '') : null
      return isMadeRecord(value) ? [value] : []
    } catch {
      return []
    }
  })
}

/** Returns false for a record of a newer Paddock, which counts for nothing here. */
function isMadeRecord(value: unknown): value is MadeRecord {
  if (typeof value !== 'object' || value === null) return false
  const { schemaVersion, entries } = value as { schemaVersion?: unknown; entries?: unknown }
  return schemaVersion === 1 && Array.isArray(entries) && entries.every((each) => Array.isArray(each) && typeof each[0] === 'string')
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
