import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { NamedDirectories } from '../manifest/projects.ts'

/** The number of levels searched under a listed directory, and the most directories searched in total. */
const [deepest, most] = [2, 500]

/** Returns the directories with a contest.yaml that requests may name: the listed ones and directories just under them. */
export const contestDirectories = (directories: NamedDirectories): readonly string[] => directoriesWith('contest.yaml', directories)

/** Returns the directories with a suite.yaml that requests may name, found in the same way. */
export const suiteDirectories = (directories: NamedDirectories): readonly string[] => directoriesWith('suite.yaml', directories)

function directoriesWith(file: string, { allowed, userHome }: NamedDirectories): readonly string[] {
  const found = new Set<string>()
  let looked = 0
  const look = (directory: string, depth: number): void => {
    if (++looked > most) return
    if (lstatSync(path.join(directory, file), { throwIfNoEntry: false })?.isFile() === true) found.add(directory)
    if (depth === deepest) return
    for (const each of entriesOf(directory))
      if (each.isDirectory() && !each.name.startsWith('.')) look(path.join(directory, each.name), depth + 1)
  }
  for (const each of allowed) {
    const real = realOrNull(path.normalize(each.replace(/^~(?=\/|$)/, userHome)))
    if (real !== null) look(real, 0)
  }
  return [...found].sort()
}

function realOrNull(directory: string): string | null {
  try {
    return realpathSync(directory)
  } catch {
    return null
  }
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}
