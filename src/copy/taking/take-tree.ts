import { chmodSync, closeSync, mkdirSync, type Stats } from 'node:fs'
import path from 'node:path'
import { hasInertMark } from '../../cell/plan/protected/inert-mark.ts'
import { reasonOf, type WalkEntry, walk } from '../../files/walk.ts'
import { isGitName, pathOf, shownName, textOf } from '../copy-names.ts'
import type { Entry } from '../manifest.ts'
import { projectBounds } from './copy-bounds.ts'
import type { FileTaker } from './file-taker.ts'
import type { Wanted } from './wanted.ts'

const mostListed = 1000

export interface Taken {
  readonly entries: Entry[]
  readonly skipped: { path: string; why: string }[]
  skippedCount: number
  /** Directories with a `.git`, relative to the project. */
  readonly repositories: string[]
}

const kindWords = {
  fifo: 'it is a FIFO',
  socket: 'it is a socket',
  device: 'it is a device',
  unknown: 'it is not a regular file',
} as const

/**
 * Copies the wanted files of a project: regular files and symbolic links (as links, never their targets). `.git` is left to
 * the code that makes the git directories, and inert entries of cells that run in the project are left out. Paths that cannot be copied are
 * listed with the reason.
 */
export async function takeTree(project: string, tree: string, wanted: Wanted, taker: FileTaker): Promise<Taken> {
  const taken: Taken = { entries: [], skipped: [], skippedCount: 0, repositories: [] }
  const directories: { readonly at: string; readonly facts: Stats }[] = []
  for await (const entry of walk(project, projectBounds)) {
    const why = await takeOne(entry, tree, wanted, taker, taken, directories)
    if (why === null) continue
    taken.skippedCount += 1
    if (taken.skipped.length < mostListed) taken.skipped.push({ path: shownName(entry.names), why })
  }
  // Modes are set last, deepest directories first, because a directory without write permission could not be filled.
  for (const each of directories.reverse()) {
    taker.dress(each.at, each.facts)
    chmodSync(each.at, (each.facts.mode & 0o777) | 0o700)
  }
  taken.entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  return taken
}

/** Returns why an entry could not be copied; null if the entry was copied or is not wanted. */
async function takeOne(
  entry: WalkEntry,
  tree: string,
  wanted: Wanted,
  taker: FileTaker,
  taken: Taken,
  directories: { readonly at: string; readonly facts: Stats }[],
): Promise<string | null> {
  if (entry.notEntered !== undefined) return entry.notEntered
  const name = pathOf(entry.names)
  if (name === null) {
    entry.skip()
    return 'its name is not UTF-8'
  }
  if (isGitName(String(entry.names.at(-1)))) {
    taken.repositories.push(entry.names.slice(0, -1).map(String).join('/'))
    entry.skip()
    return null
  }
  const facts = entry.lstat()
  if (facts === null) return null
  if (hasInertMark(facts)) {
    entry.skip()
    return null
  }
  const target = path.join(tree, name)
  if (entry.kind === 'directory') {
    if (!wanted.directory(name)) entry.skip()
    else {
      mkdirSync(target, { recursive: true })
      directories.push({ at: target, facts })
    }
    return null
  }
  if (entry.kind !== 'file' && entry.kind !== 'symlink') return kindWords[entry.kind]
  if (!wanted.file(name)) return null
  return entry.kind === 'symlink' ? takeLink(entry, name, target, facts, taker, taken) : takeFile(entry, name, target, taker, taken)
}

function takeLink(entry: WalkEntry, name: string, target: string, facts: Stats, taker: FileTaker, taken: Taken): string | null {
  let content: string | null
  try {
    content = textOf(entry.readlink())
  } catch (error) {
    return reasonOf(error)
  }
  if (content === null) return 'it is a link to a name that is not UTF-8'
  taker.link(content, target, facts)
  taken.entries.push({ path: name, target: content })
  return null
}

async function takeFile(entry: WalkEntry, name: string, target: string, taker: FileTaker, taken: Taken): Promise<string | null> {
  let descriptor: number
  try {
    descriptor = entry.open()
  } catch (error) {
    return reasonOf(error)
  }
  try {
    const file = await taker.file(descriptor, target)
    if (file === null) return 'changed while it was read'
    taken.entries.push({ path: name, ...file })
    return null
  } finally {
    closeSync(descriptor)
  }
}
