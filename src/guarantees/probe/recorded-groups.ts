import { existsSync, readFileSync } from 'node:fs'

/** Returns the control groups in a record, regardless of the format of the backend's traces. */
export function groupsOf(record: string): readonly string[] {
  if (!existsSync(record)) return []
  const named = readFileSync(record, 'utf8').matchAll(/"(\/sys\/fs\/cgroup\/[^"\\]+)"/g)
  return [...new Set(Array.from(named, ([, directory = '']) => directory))]
}
