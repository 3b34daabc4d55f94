import path from 'node:path'
import { writeAtomic } from '../../../files/atomic.ts'
import { readRegularSync } from '../../../files/read-regular.ts'
import { storedOrNull } from '../../../files/stored-json.ts'
import type { Rights } from '../../plan/rights.ts'

/** A version of an entry: the id of its writer's rights, and a number that is larger for newer versions. */
export interface Version {
  readonly by: string
  readonly at: number
}

/** The record of the writers of a private home. Only Paddock writes it. */
export interface HomeRecord {
  readonly schemaVersion: 1
  /** The number of the next version. */
  readonly next: number
  /** The id of the rights of the last cells; null: not known. */
  readonly last: string | null
  readonly sets: Readonly<Record<string, Rights>>
  /** The entries in the home when the last cell started. The mark of an entry that a cell removed is null. */
  readonly here: Readonly<Record<string, Version & { readonly mark: string | null }>>
  /** The versions beside the home, by the id of their writer's rights and by path. */
  readonly kept: Readonly<Record<string, Readonly<Record<string, { readonly at: number; readonly absent: boolean }>>>>
}

const maxBytes = 64 * 1024 ** 2
const fileIn = (store: string): string => path.join(store, 'home.json')

/** Returns the record of a home. Without a valid one, nothing is known about any writer. @throws NewerFile */
export function readHomeRecord(store: string): HomeRecord {
  const none: HomeRecord = { schemaVersion: 1, next: 1, last: null, sets: {}, here: {}, kept: {} }
  const file = fileIn(store)
  const parse = (value: unknown): HomeRecord => {
    const found = value as HomeRecord
    return found.schemaVersion === 1 ? found : none
  }
  return storedOrNull(file, readRegularSync(file, maxBytes), { parse }) ?? none
}

export function writeHomeRecord(store: string, record: HomeRecord): Promise<void> {
  return writeAtomic(fileIn(store), JSON.stringify(record), { mode: 0o600 })
}
