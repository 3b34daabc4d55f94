import { isInstructionFile } from '../../agents/instruction-files.ts'

/** What was renamed for one judge, by label, old path and new. */
export interface Renamed {
  readonly label: string
  readonly from: string
  readonly to: string
}

/**
 * New names for the files of a submission that some agent CLI would load by itself when a judge reads there:
 * `CLAUDE.md` becomes `CLAUDE.md.submitted.txt`, `.claude/x` becomes `.claude.submitted/x`. Old path → new path, only
 * what changes. No new name meets a file or directory that is there already.
 */
export function disarm(files: readonly string[]): Map<string, string> {
  const isFile = new Set(files)
  const there = new Set(files.flatMap(prefixes))
  const given = new Set<string>()
  const names = new Map<string, string>()
  const nameFor = (path: string): string => {
    const known = names.get(path)
    if (known !== undefined) return known
    const slash = path.lastIndexOf('/') + 1
    const parent = slash === 0 ? '' : `${nameFor(path.slice(0, slash - 1))}/`
    const leaf = path.slice(slash)
    let name = parent + leaf
    if (isInstructionFile(name)) {
      const ending = isFile.has(path) ? '.txt' : ''
      let harmless = `${leaf}.submitted${ending}`
      // Neighbours keep their names or get new ones; neither may be met.
      for (let number = 2; there.has(path.slice(0, slash) + harmless) || given.has(parent + harmless); number += 1)
        harmless = `${leaf}.submitted-${number}${ending}`
      name = parent + harmless
      given.add(name)
    }
    names.set(path, name)
    return name
  }
  return new Map(files.map((file): [string, string] => [file, nameFor(file)]).filter(([file, name]) => file !== name))
}

function prefixes(file: string): string[] {
  const found = [file]
  for (let slash = file.lastIndexOf('/'); slash > 0; slash = file.lastIndexOf('/', slash - 1)) found.push(file.slice(0, slash))
  return found
}
