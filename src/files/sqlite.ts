import type { DatabaseSync } from 'node:sqlite'

/** Opens a SQLite database. Early releases of Node 24 report on standard error that SQLite is an experiment; that line is left out. */
export function openSqlite(file: string): DatabaseSync {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
    return new Database(file)
  } finally {
    process.emitWarning = emitWarning
  }
}
