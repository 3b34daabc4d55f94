import type { DatabaseSync } from 'node:sqlite'

/** Opens a SQLite database. Early releases of Node 24 warn on standard error that SQLite is experimental; the warning is suppressed. */
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
