import { openSqlite } from '../../files/sqlite.ts'

export interface FleetCounts {
  readonly agents: number
  readonly jobs: number
}

/** Returns the numbers of agents and jobs in a file with a fleet's state. */
export function countsOf(file: string): FleetCounts {
  const db = openSqlite(file)
  try {
    const count = (table: 'agents' | 'jobs'): number => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
    return { agents: count('agents'), jobs: count('jobs') }
  } finally {
    db.close()
  }
}
