import { chmodSync, mkdirSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PaddockError } from '../../base/errors.ts'
import { openSqlite } from '../../files/sqlite.ts'
import { migrations } from './migrations.ts'

/** The state of a fleet. One process owns it. When a call returns, its changes are on the disk. */
export interface FleetDatabase extends Disposable {
  /** Returns the prepared statement for an SQL text. Statements are cached. */
  readonly sql: (text: string) => StatementSync
  /** Runs `work` in a transaction, or within the open one. If `work` throws, the whole transaction is undone. */
  transaction<T>(work: () => T): T
  /** Whether a transaction is open, whose changes may still be undone. */
  readonly inTransaction: boolean
  /** Releases at most this many free pages (4 KiB) to the file system. Returns the number of free pages that are left. */
  shrink(pages: number): number
  /** Calls the listener after each transaction. Returns a function that removes the listener. */
  onCommit(listener: () => void): () => void
  /** Calls the listener for each row of a table that any statement adds, changes or deletes, with its key. The change may still be undone. */
  onRow(table: WatchedTable, listener: (key: string | number) => void): void
}

/** The tables whose rows are kept in memory, and their keys. */
const keys = { agents: 'id', jobs: 'number', pause: 'one' } as const
type WatchedTable = keyof typeof keys

/**
 * Opens or creates the database in `file`, and migrates it to the newest schema.
 * @throws PaddockError CONFLICT if a newer Paddock wrote it
 */
export function openDatabase(file: string, directory: string): FleetDatabase {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const db = openSqlite(file)
  try {
    chmodSync(file, 0o600)
    // Only has an effect before the first table is created. Free pages can then be released to the file system.
    db.exec('PRAGMA auto_vacuum=INCREMENTAL')
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
    migrate(db, file)
  } catch (error) {
    db.close()
    throw error
  }
  const statements = new Map<string, StatementSync>()
  const listeners = new Set<() => void>()
  const rowListeners = watchRows(db)
  let open = false
  return {
    sql(text) {
      const made = statements.get(text) ?? db.prepare(text)
      statements.set(text, made)
      return made
    },
    transaction(work) {
      if (open) return work()
      db.exec('BEGIN IMMEDIATE')
      open = true
      try {
        const result = work()
        db.exec('COMMIT')
        open = false
        for (const each of [...listeners]) each()
        return result
      } catch (error) {
        if (open) {
          open = false
          // If the disk is full, SQLite has rolled back already (sqlite.org/lang_transaction.html).
          if (db.isTransaction) db.exec('ROLLBACK')
        }
        throw notWritten(error, file)
      }
    },
    get inTransaction() {
      return open
    },
    shrink(pages) {
      db.exec(`PRAGMA incremental_vacuum(${Math.trunc(pages)}); PRAGMA wal_checkpoint(TRUNCATE)`)
      return Number(db.prepare('PRAGMA freelist_count').get()?.['freelist_count'] ?? 0)
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onRow: (table, listener) => void rowListeners[table].push(listener),
    [Symbol.dispose]: () => db.close(),
  }
}

type RowListener = (key: string | number) => void

/** Adds triggers of this connection to the watched tables. Returns the lists of listeners that they call. */
function watchRows(db: DatabaseSync): Readonly<Record<WatchedTable, RowListener[]>> {
  const listeners: Record<WatchedTable, RowListener[]> = { agents: [], jobs: [], pause: [] }
  for (const [table, key] of Object.entries(keys) as [WatchedTable, string][]) {
    db.function(`row_of_${table}`, (value) => {
      for (const each of listeners[table]) each(value as string | number)
      return null
    })
    for (const [change, row] of [
      ['INSERT', 'new'],
      ['UPDATE', 'old'],
      ['DELETE', 'old'],
    ])
      db.exec(`CREATE TEMP TRIGGER ${table}_${change} AFTER ${change} ON main.${table} BEGIN SELECT row_of_${table}(${row}.${key}); END`)
  }
  return listeners
}

function migrate(db: DatabaseSync, file: string): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version > migrations.length)
    throw new PaddockError('CONFLICT', `${file} was written by a newer Paddock (schema ${version}, this one knows ${migrations.length}).`, {
      hint: 'Install the newer Paddock again, or restore a backup that was made before',
    })
  for (let next = version; next < migrations.length; next += 1) {
    db.exec('BEGIN IMMEDIATE')
    db.exec(migrations[next] ?? '')
    db.exec(`PRAGMA user_version=${next + 1}`)
    db.exec('COMMIT')
  }
}

/** SQLite result codes for a full disk, an I/O error and a read-only file. */
const diskTrouble: ReadonlySet<number> = new Set([13, 10, 8])

function notWritten(error: unknown, file: string): unknown {
  const { errcode = 0, message } = error as { readonly errcode?: number; readonly message?: string }
  if (!diskTrouble.has(errcode % 256)) return error
  return new PaddockError('FILES_FAILED', `The state of the fleet cannot be written: ${message}.`, {
    hint: `Make room on the disk of ${file}; what was acknowledged is there`,
    cause: error,
  })
}
