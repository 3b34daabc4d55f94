import { existsSync, lstatSync, realpathSync, renameSync } from 'node:fs'
import path from 'node:path'
import { WalkTooLarge, walk } from '../files/walk.ts'
import { skipped } from './project-facts.ts'
import type { ChangeSummary } from './report.ts'
import { runLater, whyRunsLater } from './run-later.ts'

const mostEntries = 300_000
const mostListed = 1000

interface Found {
  readonly created: string[]
  readonly modified: string[]
  /** New since the start, and named like something that runs later by itself; deepest last. */
  readonly suspicious: string[]
  truncated: boolean
}

/**
 * What changed in a project since `since` (milliseconds since the epoch), by the change times of the files, which a
 * program cannot set (inode(7), ctime). Deletions leave no trace of this kind. Run-later files that were newly made
 * below the project's root, where no mount can keep them from coming to be, are moved aside; `known` are the absolute
 * paths that were there before.
 */
export async function changesSince(project: string, since: number, known: readonly string[]): Promise<ChangeSummary> {
  const found = await findChanges(project, since, known)
  const quarantined = moveAside(project, found.suspicious)
  const runsLater = [...found.created, ...found.modified].flatMap((each) => {
    const why = whyRunsLater(each)
    return why === null ? [] : [{ path: each, why }]
  })
  return {
    created: found.created.sort().slice(0, mostListed),
    modified: found.modified.sort().slice(0, mostListed),
    runsLater: runsLater.slice(0, mostListed),
    quarantined,
    truncated: found.truncated || found.created.length > mostListed || found.modified.length > mostListed,
  }
}

/** The same for a cell that nobody saw the end of: only moves aside. */
export async function quarantineNew(project: string, since: number, known: readonly string[]): Promise<ChangeSummary['quarantined']> {
  if (!existsSync(project)) return []
  return moveAside(project, (await findChanges(project, since, known)).suspicious)
}

const byItself = new Set(['.git', ...runLater.filter((each) => each.anyDepth).map((each) => each.path)])

async function findChanges(project: string, since: number, known: readonly string[]): Promise<Found> {
  const before = new Set(known)
  const repositories = new Map<string, Set<string>>()
  const found: Found = { created: [], modified: [], suspicious: [], truncated: false }
  try {
    for await (const entry of walk(project, { maxEntries: mostEntries, maxDepth: 150 })) {
      if (entry.notEntered !== undefined) {
        found.truncated = true
        continue
      }
      const name = entry.names.at(-1)?.toString() ?? ''
      const relative = entry.names.map(String).join('/')
      const stat = lstatSync(path.join(project, relative), { throwIfNoEntry: false })
      if (stat === undefined) continue
      const isNew = stat.birthtimeMs >= since
      // Whatever its times say: what was moved here from where nobody looked is old.
      if (entry.names.length > 1 && byItself.has(name)) {
        if (!before.has(path.join(project, relative))) found.suspicious.push(relative)
        entry.skip()
        continue
      }
      if (entry.kind === 'directory' && skipped.has(name) && name !== '.git') {
        entry.skip()
        continue
      }
      if (gitParts.has(name)) addPart(repositories, path.posix.dirname(relative), name)
      if (entry.kind === 'directory') {
        if (relative === '.git') {
          if (changedSequence(project, since)) found.modified.push('.git/rebase-merge/git-rebase-todo')
          entry.skip()
        }
        continue
      }
      if (stat.ctimeMs < since) continue
      if (isNew) found.created.push(relative)
      else found.modified.push(relative)
    }
  } catch (error) {
    if (!(error instanceof WalkTooLarge)) throw error
    found.truncated = true
  }
  // A directory that git takes for a repository, by its HEAD: without it, it is none.
  for (const [directory, parts] of repositories) {
    const isNew = !before.has(path.join(project, directory))
    if (directory !== '.' && parts.size === gitParts.size && isNew) found.suspicious.push(path.posix.join(directory, 'HEAD'))
  }
  return found
}

const gitParts = new Set(['HEAD', 'objects', 'refs'])

function addPart(repositories: Map<string, Set<string>>, directory: string, name: string): void {
  const parts = repositories.get(directory)
  if (parts === undefined) repositories.set(directory, new Set([name]))
  else parts.add(name)
}

/** A rebase left half done holds commands that git runs at the next `--continue`. */
function changedSequence(project: string, since: number): boolean {
  const stat = lstatSync(path.join(project, '.git/rebase-merge/git-rebase-todo'), { throwIfNoEntry: false })
  return stat !== undefined && stat.ctimeMs >= since
}

function moveAside(project: string, suspicious: readonly string[]): ChangeSummary['quarantined'] {
  const moved: { path: string; movedTo: string }[] = []
  const root = realpathSync(project)
  for (const relative of suspicious) {
    const from = path.join(project, relative)
    // The parent must still be the directory that was walked, not a link out of the project.
    const parent = path.dirname(from)
    if (realpathSync(parent) !== path.join(root, path.dirname(relative))) continue
    let to = `${from}.quarantined`
    for (let n = 2; existsSync(to); n++) to = `${from}.quarantined-${n}`
    renameSync(from, to)
    moved.push({ path: relative, movedTo: path.relative(project, to) })
  }
  return moved
}
