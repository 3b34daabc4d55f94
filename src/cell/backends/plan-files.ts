import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CellPlan } from '../plan/plan.ts'

/** Returns the directory for the `file` entries of a plan, in the cell's run directory. Creates it if it is missing. */
export function planFilesDirectory(runDirectory: string): string {
  const directory = path.join(runDirectory, 'files')
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  return directory
}

/** Writes these entries to the directory, the n-th as the file n, and an empty one as `empty`. Returns the directory. */
export function writePlanFiles(plan: CellPlan, runDirectory: string): string {
  const directory = planFilesDirectory(runDirectory)
  plan.filesystem
    .filter((each) => each.kind === 'file')
    .forEach((each, index) => {
      writeFileSync(path.join(directory, String(index)), each.content, { mode: 0o644 })
      chmodSync(path.join(directory, String(index)), each.isExecutable === true ? 0o555 : 0o444)
    })
  writeFileSync(path.join(directory, 'empty'), '', { mode: 0o444 })
  return directory
}
