import { closeSync, constants, existsSync, lstatSync, openSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { openToOwner } from '../../files/owner-access.ts'
import { joined } from '../../files/tree-names.ts'
import { walk } from '../../files/walk.ts'
import { rulesIn, runLaterRules } from '../plan/protected/run-later.ts'
import type { ChangeSummary } from '../report.ts'
import { clearCapabilities } from './file-capabilities.ts'
import { gitChanges } from './git-changes.ts'
import { heaviestFirst, mostLater, type Weighed, weighed, weighedNote } from './heaviest-first.ts'
import { hiddenInGit } from './hidden-in-git.ts'
import { madeWorktrees } from './made-worktrees.ts'
import type { Summary, UnlessOthers } from './quarantine-files.ts'
import type { CellStart } from './state-before.ts'
import { bounds, TreeLook } from './tree-look.ts'
import { unchangedDirectories } from './unchanged.ts'

const mostListed = 1000
const mostWorkTrees = 100
/** Maximum number of names at the root of a tree. */
const mostAtRoot = 5_000_000

interface Found extends Summary {
  /** Paths of all created or modified files. */
  changed: readonly string[]
  later: readonly Weighed[]
}

/**
 * Returns the changes in a tree since a cell started, according to the files' change times, which a
 * program cannot set (inode(7), ctime), and to the files of the start, if `start` lists them. New protected paths are quarantined during the search, through the
 * descriptor of their directory, so that no link can redirect the move. Protected paths that were known at the start and the inert
 * entries of other cells are left alone. Never rejects because of the contents of the tree.
 */
export async function changesSince(root: string, start: CellStart, unlessOthers: UnlessOthers): Promise<ChangeSummary> {
  return cut(await lookInto(root, start, unlessOthers))
}

/** @param isOuterGit true if the root is the git directory of a linked work tree, for which no changes are listed. */
async function lookInto(root: string, start: CellStart, unlessOthers: UnlessOthers, isOuterGit = false): Promise<Found> {
  const rules = rulesIn(root, start)
  const found = nothing()
  if (!existsSync(root)) return found
  let directory: number
  try {
    directory = openTree(root, start.startedAt)
  } catch {
    return { ...found, unsearched: ['.'], truncated: true }
  }
  try {
    const base = process.platform === 'linux' ? `/proc/self/fd/${directory}/.` : root
    const unchanged = await unchangedDirectories(root, start.directories ?? [], start.startedAt)
    const look = new TreeLook({ root, base, unchanged }, start, unlessOthers, found)
    try {
      if (isOuterGit) look.wholeIsGit()
      else {
        // First, because a tree can be too large to be searched, but not to be protected at its root.
        for await (const entry of walk(base, { ...bounds, maxEntries: mostAtRoot })) {
          if (look.isObeyed(entry)) look.at(entry)
          entry.skip()
        }
        // Compared as bytes, because two names that are not UTF-8 can be the same as text.
        const moved = new Set(found.quarantined.map((each) => Buffer.from(each.movedTo).toString('latin1')))
        for await (const entry of walk(base, bounds)) {
          if (moved.has(joined(entry.names).toString('latin1'))) entry.skip()
          else look.at(entry)
        }
      }
    } catch {
      found.truncated = true
      found.unsearched.push('.')
    }
    await look.launder()
    await look.inGitDirectories()
    await look.launderWorktrees()
    await look.keepSettings()
    await look.inAside()
    look.halfDoneRebases()
    found.linksOut = look.linksOut
    const { cleared, kept, unseen } = clearCapabilities(base, look.executables)
    for (const each of cleared)
      found.runsLater.push({ path: String(each.path), why: 'it had file capabilities and was changed; they were removed' })
    for (const each of kept)
      found.runsLater.push({ path: String(each.path), why: 'it has file capabilities and was changed; to remove them: setcap -r' })
    found.unsearched.push(...unseen.map((each) => String(each.path)))
  } finally {
    closeSync(directory)
  }
  const listing = start.listings?.get(root)
  if (listing !== undefined) {
    const { deleted, renamed, others } = listing.compared(!found.truncated && found.unsearched.length === 0, mostListed)
    found.deleted = [...deleted]
    found.renamed = [...renamed]
    found.created.push(...others)
  }
  found.later = [
    ...found.runsLater.map(weighedNote),
    ...weighed(found.modified, true, rules),
    ...weighed([...found.created, ...newNames(found)], false, rules),
  ]
  found.changed = [...found.created, ...newNames(found), ...found.modified]
  const lists = [found.created, found.modified, found.deleted, found.renamed, found.unsearched]
  found.truncated ||= lists.some((each) => each.length > mostListed)
  for (const each of ['created', 'modified', 'deleted', 'unsearched'] as const) found[each] = found[each].sort().slice(0, mostListed)
  found.renamed = found.renamed.sort((a, b) => (a.from < b.from ? -1 : 1)).slice(0, mostListed)
  return found
}

const newNames = ({ renamed }: Found): readonly string[] => renamed.map((each) => each.to)

function nothing(): Found {
  const files = { created: [], modified: [], deleted: [], renamed: [] }
  const lists = { ...files, runsLater: [], quarantined: [], laundered: [], linksOut: [], unsearched: [], git: [] }
  return { ...lists, truncated: false, changed: [], later: [] }
}

/** Returns the part of the findings that a report contains. */
function cut({ changed: _, later, linksOut = [], ...found }: Found): ChangeSummary {
  return {
    ...found,
    ...(linksOut.length === 0 ? {} : { linksOut: linksOut.slice(0, mostListed) }),
    runsLater: heaviestFirst(later, mostLater),
    quarantined: found.quarantined.slice(0, mostLater),
    laundered: (found.laundered ?? []).slice(0, mostListed).map((each) => ({ ...each, removed: each.removed.slice(0, mostListed) })),
    truncated: found.truncated || Math.max(later.length, found.quarantined.length) > mostLater || linksOut.length > mostListed,
  }
}

/** Opens the planned directory. Throws if its path now leads through a link to another one. */
function openTree(root: string, since: number): number {
  if (lstatSync(root).ctimeMs >= since) openToOwner(root)
  const directory = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${directory}`) === root) return directory
  closeSync(directory)
  throw new Error(`${root} is not where it was`)
}

/**
 * Returns the changes in all trees of a cell. Paths in the first tree, the project, are relative unless `inFull`; in the others they are
 * absolute. Null if there are no trees.
 */
export async function changesIn(
  trees: readonly string[],
  atStart: CellStart,
  unlessOthers: UnlessOthers,
  inFull = false,
): Promise<ChangeSummary | null> {
  if (trees.length === 0) return null
  const made = atStart.worktrees === undefined ? [] : await madeWorktrees(atStart.worktrees)
  const start = { ...atStart, known: [...atStart.known, ...made], trees, gitFiles: new Map<string, string>() }
  const outerGits = (start.outerGits ?? []).filter((each) => !trees.includes(each))
  const all = nothing()
  const changed = new Set<string>()
  // Git directories come first, because a `.git` file stays only if its git directory was laundered.
  for (const tree of [...outerGits, ...trees]) {
    const more = await lookInto(tree, start, unlessOthers, outerGits.includes(tree))
    const full = (each: string): string => (tree === trees[0] && !inFull ? each : path.join(tree, each))
    all.created.push(...more.created.map(full))
    all.modified.push(...more.modified.map(full))
    all.deleted.push(...more.deleted.map(full))
    all.renamed.push(...more.renamed.map(({ from, to }) => ({ from: full(from), to: full(to) })))
    all.unsearched.push(...more.unsearched.map(full))
    all.later = [...all.later, ...more.later.map((each) => ({ ...each, path: full(each.path) }))]
    for (const { path: from, movedTo } of more.quarantined) all.quarantined.push({ path: full(from), movedTo: full(movedTo) })
    all.laundered = [...(all.laundered ?? []), ...(more.laundered ?? []).map((each) => ({ ...each, path: full(each.path) }))]
    all.linksOut = [...(all.linksOut ?? []), ...(more.linksOut ?? []).map((each) => ({ ...each, path: full(each.path) }))]
    all.truncated ||= more.truncated
    for (const each of more.changed) changed.add(path.join(tree, each))
  }
  const hidden = await hiddenInGit(
    start.repositories ?? [],
    start.startedAt,
    start.runDirectory ?? '',
    changed,
    runLaterRules(start.runLater),
    new Set(start.ownVersions),
  )
  const shownAs = (each: string): string => (!inFull && each.startsWith(`${trees[0]}/`) ? path.relative(trees[0] ?? '', each) : each)
  all.later = [...hidden.found.map((each) => weighedNote({ ...each, path: shownAs(each.path) })), ...all.later]
  all.unsearched.push(...hidden.unsearched.map(shownAs))
  if (start.git !== undefined) {
    const git = await gitChanges(start.git, start.runDirectory ?? '', runLaterRules(start.runLater))
    all.git = git
      .slice(0, mostWorkTrees)
      .map((each) => ({ ...each, workTree: !inFull && each.workTree === trees[0] ? '.' : shownAs(each.workTree) }))
    all.truncated ||= git.length > mostWorkTrees
  }
  return cut(all)
}
