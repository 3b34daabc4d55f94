import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CellPlan } from '../plan/plan.ts'

/**
 * Writes the `file` entries of a plan into a directory below the cell's run directory: the n-th under the name n, and an empty one as
 * `empty`. Returns that directory.
 */
export function writePlanFiles(plan: CellPlan, runDirectory: string): string {
  const directory = path.join(runDirectory, 'files')
  mkdirSync(directory, { mode: 0o755 })
  plan.filesystem
    .filter((each) => each.kind === 'file')
    .forEach((each, index) => {
      writeFileSync(path.join(directory, String(index)), each.content, { mode: 0o644 })
      chmodSync(path.join(directory, String(index)), 0o444)
    })
  writeFileSync(path.join(directory, 'empty'), '', { mode: 0o444 })
  return directory
}
