import { existsSync, readFileSync } from 'node:fs'

/** Returns the control groups in a record, whatever format the cell's backend uses for its traces. */
export function groupsOf(record: string): readonly string[] {
  if (!existsSync(record)) return []
  const named = readFileSync(record, 'utf8').matchAll(/"(\/sys\/fs\/cgroup\/[^"\\]+)"/g)
  return [...new Set(Array.from(named, ([, directory = '']) => directory))]
}
