import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { messageOf } from '../base/errors.ts'
import type { Paths } from '../base/paths.ts'
import { readRegularSync } from '../files/read-regular.ts'
import { storedOrNull } from '../files/stored-json.ts'
import { recordFile, recordsDirectory } from './worktree-place.ts'

const recordSchema = z.object({
  schemaVersion: z.literal(1),
  name: z.string(),
  /** The project from which it was made, and the git directory with its objects and refs. */
  project: z.string(),
  common: z.string(),
  directory: z.string(),
  /** The commit from which the branch started. */
  base: z.string(),
  createdAt: z.string(),
  /** False while git writes the files. */
  isReady: z.boolean(),
  /** See `made-worktrees.ts`. */
  entries: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
})

/** What Paddock knows about a work tree that it made. The branch has the same name. */
export type WorktreeRecord = z.output<typeof recordSchema>

/** Returns the record of a work tree; null if there is none. */
export function readRecord(paths: Paths, common: string, name: string): WorktreeRecord | null {
  return parsed(recordFile(paths, common, name))
}

/** A record that this Paddock cannot read, of a work tree that may contain work. */
export interface UnreadableRecord {
  readonly file: string
  /** A sentence. */
  readonly why: string
}

export interface AllRecords {
  /** Sorted by project and name. */
  readonly records: readonly WorktreeRecord[]
  readonly unreadable: readonly UnreadableRecord[]
}

/** Returns all records. One that cannot be read does not hide the others. */
export function allRecords(paths: Paths): AllRecords {
  const records: WorktreeRecord[] = []
  const unreadable: UnreadableRecord[] = []
  for (const each of namesIn(recordsDirectory(paths))) {
    const directory = path.join(recordsDirectory(paths), each)
    for (const name of namesIn(directory).filter((file) => file.endsWith('.json'))) {
      const file = path.join(directory, name)
      try {
        const record = parsed(file)
        if (record !== null) records.push(record)
        else if (existsSync(file)) unreadable.push({ file, why: `${file} is not the record of a work tree.` })
      } catch (error) {
        unreadable.push({ file, why: messageOf(error) })
      }
    }
  }
  return { records: records.sort((a, b) => (`${a.project}\0${a.name}` < `${b.project}\0${b.name}` ? -1 : 1)), unreadable }
}

function parsed(file: string): WorktreeRecord | null {
  return storedOrNull(file, readRegularSync(file, 64 * 1024), recordSchema)
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
