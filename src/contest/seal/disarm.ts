import { isInstructionFile, rulesOfHost } from '../../adapters/agent-facts.ts'
import { nameRules } from '../../cell/plan/protected/name-rules.ts'
import { looksLikeGitDirectory } from '../../git/directory-names.ts'

/** The names under which judges see the files of a submission. */
export interface Disarmed {
  /** The renamed files: old path → new path. */
  readonly names: ReadonlyMap<string, string>
  /** All renamed files and directories, with old and new paths. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
}

/** Names that version control systems read at any depth, in addition to the files that run later in a project. */
const versionControl = ['.git', '.gitattributes', '.lfsconfig', '.hg', '.jj', '.svn']
const inLowerCase = (name: string): string => name.toLowerCase()
const obeyed = nameRules(
  [...versionControl, ...rulesOfHost.runLater.map((each) => each.path)].map((path) => ({ path, anyDepth: true })),
  inLowerCase,
)

/** Returns true if a program obeys a file or directory with this path merely because it exists, at any depth and on any file system. */
export function isObeyed(path: string): boolean {
  return isInstructionFile(path) || obeyed(inLowerCase(path)) !== null
}

/**
 * Renames everything in a submission that a program would load, run or obey when a judge reads the submission: `CLAUDE.md` becomes
 * `CLAUDE.md.submitted.txt`, `.git/x` becomes `.git.submitted/x`. In a directory that git would recognize as a repository, whatever its
 * name, HEAD is renamed. A new name never collides with an existing file or directory.
 */
export function disarm(files: readonly string[]): Disarmed {
  const isFile = new Set(files)
  const there = new Set(files.flatMap(prefixes))
  const heads = headsOfRepositories(there)
  const given = new Set<string>()
  const names = new Map<string, string>()
  const renamed: { from: string; to: string }[] = []
  const nameFor = (path: string): string => {
    const known = names.get(path)
    if (known !== undefined) return known
    const slash = path.lastIndexOf('/') + 1
    const parent = slash === 0 ? '' : `${nameFor(path.slice(0, slash - 1))}/`
    const leaf = path.slice(slash)
    let name = parent + leaf
    if (isObeyed(name) || heads.has(path)) {
      const ending = isFile.has(path) ? '.txt' : ''
      let harmless = `${leaf}.submitted${ending}`
      // A new name must collide neither with an old name nor with another new one.
      for (let number = 2; there.has(path.slice(0, slash) + harmless) || given.has(parent + harmless); number += 1)
        harmless = `${leaf}.submitted-${number}${ending}`
      name = parent + harmless
      given.add(name)
      renamed.push({ from: path, to: name })
    }
    names.set(path, name)
    return name
  }
  return { names: new Map(files.map((file): [string, string] => [file, nameFor(file)]).filter(([file, name]) => file !== name)), renamed }
}

/** Returns every HEAD of directories that git recognizes as repositories, including on file systems that ignore case. */
function headsOfRepositories(there: ReadonlySet<string>): ReadonlySet<string> {
  const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
  const inDirectory = new Map<string, Set<string>>()
  for (const path of there) {
    const directory = directoryOf(path)
    const names = inDirectory.get(directory) ?? new Set()
    inDirectory.set(directory, names.add(path.slice(directory.length).toUpperCase()))
  }
  return new Set(
    [...there].filter((path) => {
      const directory = directoryOf(path)
      const names = inDirectory.get(directory)
      return (
        path.slice(directory.length).toUpperCase() === 'HEAD' &&
        looksLikeGitDirectory({ has: (name) => names?.has(name.toUpperCase()) === true })
      )
    }),
  )
}

function prefixes(file: string): string[] {
  const found = [file]
  for (let slash = file.lastIndexOf('/'); slash > 0; slash = file.lastIndexOf('/', slash - 1)) found.push(file.slice(0, slash))
  return found
}
