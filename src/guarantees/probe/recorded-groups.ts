import { existsSync, readFileSync } from 'node:fs'

/** The control groups that a record names, whatever form the backend of the cell gives to its traces. */
export function groupsOf(record: string): readonly string[] {
  if (!existsSync(record)) return []
  const named = readFileSync(record, 'utf8').matchAll(/"(\/sys\/fs\/cgroup\/[^"\\]+)"/g)
  return [...new Set(Array.from(named, ([, directory = '']) => directory))]
}
