import { isInstructionFile } from '../agents/instruction-files.ts'

/**
 * New names for the files of a submission that some agent CLI would load by itself when a judge reads there:
 * `CLAUDE.md` becomes `CLAUDE.md.submitted.txt`, `.claude/x` becomes `.claude.submitted/x`. Old path → new path, only
 * what changes. No new name meets a file or directory that is there already.
 */
export function disarm(files: readonly string[]): Map<string, string> {
  const isFile = new Set(files)
  const taken = new Set<string>()
  for (const file of files) for (const each of prefixes(file)) taken.add(each)
  const names = new Map<string, string>()
  const nameFor = (path: string): string => {
    const known = names.get(path)
    if (known !== undefined) return known
    const slash = path.lastIndexOf('/')
    const parent = slash < 0 ? '' : `${nameFor(path.slice(0, slash))}/`
    const plain = parent + path.slice(slash + 1)
    let name = plain
    if (isInstructionFile(plain)) {
      const ending = isFile.has(path) ? '.txt' : ''
      name = `${plain}.submitted${ending}`
      for (let number = 2; taken.has(name); number += 1) name = `${plain}.submitted-${number}${ending}`
      taken.add(name)
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
