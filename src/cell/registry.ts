import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CellTraces } from './backends/backend.ts'

/** What is known of a running cell outside of the process that runs it. */
export interface CellRecord extends CellTraces {
  readonly id: string
  readonly host: import('../files/process-identity.ts').ProcessIdentity | null
  readonly startedAt: number
  readonly project: string | null
  /** Files of the project that run later and were there before. */
  readonly known: readonly string[]
  readonly runDirectory: string
}

/** One JSON file for each running cell, so that what a crash leaves behind is found (see `sweep.ts`). */
export interface CellRegistry {
  write(record: CellRecord): void
  remove(id: string): void
  all(): readonly CellRecord[]
}

export function openRegistry(directory: string): CellRegistry {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = (id: string): string => path.join(directory, `${id}.json`)
  return {
    write(record) {
      const temporary = `${file(record.id)}.new`
      writeFileSync(temporary, JSON.stringify(record), { mode: 0o600 })
      renameSync(temporary, file(record.id))
    },
    remove: (id) => rmSync(file(id), { force: true }),
    all: () =>
      readdirSync(directory)
        .filter((name) => /^[0-9a-f]+\.json$/.test(name))
        .flatMap((name) => parse(path.join(directory, name))),
  }
}

function parse(file: string): CellRecord[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8')) as CellRecord]
  } catch {
    // Removed meanwhile; a torn file is impossible, because it is renamed into place.
    return []
  }
}
