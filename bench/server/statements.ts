import type { StatementSync } from 'node:sqlite'
import { fleetData } from '../../src/fleet/data-directory.ts'
import { openStore } from '../../src/fleet/store/fleet-store.ts'
import { useStatements } from '../../test/support/fleet-statements.ts'
import { type Figure, median } from '../measure.ts'

const mostMs = 5

/** Measures the slowest frequent statement of a filled store, without the time that the disk takes. */
export async function statements(directory: string): Promise<readonly Figure[]> {
  using store = await openStore(fleetData(directory))
  store.database.sql('PRAGMA synchronous=OFF').run()
  const took = new Map<string, number[]>()
  const timed = (text: string): StatementSync =>
    new Proxy(store.database.sql(text), {
      get(statement, name: keyof StatementSync) {
        const value: unknown = Reflect.get(statement, name, statement)
        if (typeof value !== 'function') return value
        return (...args: unknown[]): unknown => {
          const began = performance.now()
          const result: unknown = Reflect.apply(value, statement, args)
          took.set(text, [...(took.get(text) ?? []), performance.now() - began])
          return result
        }
      },
    })
  for (let round = 0; round < 15; round++) useStatements({ ...store.database, sql: timed }, String(round))
  const [[text, ms] = ['', Number.NaN]] = [...took].map(([text, times]) => [text, median(times)] as const).toSorted((a, b) => b[1] - a[1])
  return [
    {
      name: `slowest of ${took.size} statements with 1,000,000 events`,
      value: `${ms.toFixed(2)} ms: ${text.trim().slice(0, 30)}…`,
      bar: `at most ${mostMs} ms`,
      met: ms <= mostMs,
    },
  ]
}
