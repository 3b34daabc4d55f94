import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { type NamedDirectories, realRoots } from '../manifest/project-rights.ts'

/** The number of levels searched under a listed directory, and the most directories searched in total. */
const [deepest, most] = [2, 500]

/** Returns the directories with a contest.yaml that requests may name: the listed ones and directories just under them. */
export const contestDirectories = (directories: NamedDirectories): readonly string[] => directoriesWith('contest.yaml', directories)

/** Returns the directories with a suite.yaml that requests may name, found in the same way. */
export const suiteDirectories = (directories: NamedDirectories): readonly string[] => directoriesWith('suite.yaml', directories)

function directoriesWith(file: string, directories: NamedDirectories): readonly string[] {
  const found = new Set<string>()
  let looked = 0
  const look = (directory: string, depth: number): void => {
    if (++looked > most) return
    if (lstatSync(path.join(directory, file), { throwIfNoEntry: false })?.isFile() === true) found.add(directory)
    if (depth === deepest) return
    for (const each of entriesOf(directory))
      if (each.isDirectory() && !each.name.startsWith('.')) look(path.join(directory, each.name), depth + 1)
  }
  for (const each of realRoots(directories)) look(each, 0)
  return [...found].sort()
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}
