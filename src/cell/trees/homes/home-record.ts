import path from 'node:path'
import * as z from 'zod'
import { writeAtomic } from '../../../files/atomic.ts'
import { readRegularSync } from '../../../files/read-regular.ts'

const rightsSchema = z.object({ may: z.array(z.string()).readonly(), without: z.array(z.string()).readonly() })
const versionSchema = z.object({
  /** The id of the writer's rights. */
  by: z.string(),
  /** A number that is larger for newer versions. */
  at: z.number(),
})
export type Version = Readonly<z.output<typeof versionSchema>>

const recordSchema = z.object({
  schemaVersion: z.literal(1),
  /** The number of the next version. */
  next: z.number(),
  /** The id of the rights of the last cells; null: not known. */
  last: z.string().nullable(),
  sets: z.record(z.string(), rightsSchema),
  /** The entries in the home when the last cell started. The mark of an entry that a cell removed is null. */
  here: z.record(z.string(), versionSchema.extend({ mark: z.string().nullable() })),
  /** The versions beside the home, by the id of their writer's rights and by path. */
  kept: z.record(z.string(), z.record(z.string(), z.object({ at: z.number(), absent: z.boolean() }))),
})
/** The record of the writers of a private home. */
export type HomeRecord = Readonly<z.output<typeof recordSchema>>

const maxBytes = 64 * 1024 ** 2
const fileIn = (store: string): string => path.join(store, 'home.json')

/** Returns the record of a home. Without a readable one, nothing is known about any writer. */
export function readHomeRecord(store: string): HomeRecord {
  const none: HomeRecord = { schemaVersion: 1, next: 1, last: null, sets: {}, here: {}, kept: {} }
  const text = readRegularSync(fileIn(store), maxBytes)
  if (text === null) return none
  try {
    return recordSchema.safeParse(JSON.parse(text)).data ?? none
  } catch {
    return none
  }
}

export function writeHomeRecord(store: string, record: HomeRecord): Promise<void> {
  return writeAtomic(fileIn(store), JSON.stringify(record), { mode: 0o600 })
}
