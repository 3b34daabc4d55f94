import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CellPlan } from '../plan/plan.ts'

/** Returns the directory for the `file` entries of a plan, in the cell's run directory. Creates it if it is missing. */
export function planFilesDirectory(runDirectory: string): string {
  const directory = path.join(runDirectory, 'files')
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  return directory
}

/** Returns the path on the host of the `file` entry with this target; null if the plan has no such entry. */
export function planFile(plan: CellPlan, runDirectory: string, target: string): string | null {
  const index = plan.filesystem.filter((each) => each.kind === 'file').findIndex((each) => each.target === target)
  return index < 0 ? null : path.join(planFilesDirectory(runDirectory), String(index))
}

/** Writes these entries to the directory, the n-th as the file n, and an empty one as `empty`. Returns the directory. */
export function writePlanFiles(plan: CellPlan, runDirectory: string): string {
  const directory = planFilesDirectory(runDirectory)
  plan.filesystem
    .filter((each) => each.kind === 'file')
    .forEach((each, index) => {
      writeFileSync(path.join(directory, String(index)), Buffer.from(each.content, each.encoding ?? 'utf8'), { mode: 0o644 })
      chmodSync(path.join(directory, String(index)), each.isExecutable === true ? 0o555 : 0o444)
    })
  writeFileSync(path.join(directory, 'empty'), '', { mode: 0o444 })
  return directory
}
