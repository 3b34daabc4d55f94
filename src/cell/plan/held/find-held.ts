import { lstatSync } from 'node:fs'
import path from 'node:path'
import { entriesOf } from '../../../files/entries-of.ts'
import { readRegularBytes } from '../../../files/read-regular.ts'
import { configFileOf } from '../../../git/config-put-aside.ts'
import { readGitConfig } from '../../../git/config-syntax.ts'
import { looksLikeGitDirectory } from '../../../git/directory-names.ts'
import { type IndexEntry, isFresh } from '../../../git/index-file.ts'
import { commonDirectory } from '../git-facts.ts'
import type { TreeSearch } from '../tree-search.ts'
import { type HeldRepository, indexOf, isHeld, isUnmodified, longId, sparseFileOf } from './held-repository.ts'

const mostFileBytes = 16 * 1024 ** 2

type FactsOfSparse = 'hasInfo' | 'hasSparseFile' | 'hasSparseLock'

/** Returns the repositories in a tree that have work trees with protected paths. */
export function heldRepositories(found: TreeSearch): readonly Omit<HeldRepository, FactsOfSparse>[] {
  const gits = [...found.repositories.keys()]
  const isInGit = (file: string): boolean => gits.some((git) => file === git || file.startsWith(`${git}/`))
  const trees = gits
    .filter((git) => looksLikeGitDirectory(new Set(entriesOf(git).map((each) => each.name))))
    .flatMap((git) => [...(found.repositories.get(git) ?? [])].map((workTree) => ({ git, workTree, paths: new Set<string>() })))
    .sort((a, b) => b.workTree.length - a.workTree.length)
  for (const each of [...found.present, ...found.absent.keys(), ...found.kept.keys()]) {
    if (path.basename(each) === '.git' || isInGit(each)) continue
    const inner = trees.find(({ workTree }) => each.startsWith(`${workTree}/`))
    const isDirectory = found.absent.get(each)?.kind === 'directory' || found.kind(each) === 'directory'
    inner?.paths.add(each.slice(inner.workTree.length + 1) + (isDirectory ? '/' : ''))
  }
  return trees.flatMap(({ git, workTree, paths }) => (paths.size === 0 ? [] : [heldIn(git, workTree, [...paths])]))
}

function heldIn(git: string, workTree: string, paths: readonly string[]): Omit<HeldRepository, FactsOfSparse> {
  const common = commonDirectory(git)
  const settings = settingsOf(git, common)
  const idBytes: 20 | 32 = settings.isSha256 ? longId : 20
  const index = indexOf(git, idBytes) ?? []
  const held = { git, common, workTree, idBytes, paths: paths.filter(isExpressible) }
  const tracked = index.filter((each) => isHeld(held, each.path) && isExpressible(each.path))
  const modified = tracked.filter((each) => !each.skipsWorkTree && !isUnmodified(workTree, each))
  const isStale = (each: IndexEntry): boolean => {
    const stat = lstatSync(path.join(workTree, each.path), { bigint: true, throwIfNoEntry: false })
    return stat !== undefined && !isFresh(each, stat)
  }
  return {
    ...held,
    tracked: pathsOf(tracked),
    modified: pathsOf(modified),
    stale: pathsOf(tracked.filter((each) => !each.skipsWorkTree && !modified.includes(each) && isStale(each))),
    skipped: settings.isSparse ? [] : pathsOf(index.filter((each) => each.skipsWorkTree && isExpressible(each.path))),
    ownPatterns: settings.isSparse ? (readRegularBytes(sparseFileOf(git), mostFileBytes)?.toString('utf8') ?? null) : null,
  }
}

function pathsOf(entries: readonly IndexEntry[]): readonly string[] {
  return [...new Set(entries.map((each) => each.path))]
}

/** Returns true for a path that a pattern can express (gitignore(5)) and that was not altered by decoding. */
function isExpressible(file: string): boolean {
  return !/[\n\ufffd]/.test(file)
}

function settingsOf(git: string, common: string): { readonly isSparse: boolean; readonly isSha256: boolean } {
  const entries = [configFileOf(common), path.join(git, 'config.worktree')].flatMap(
    (each) => readGitConfig(readRegularBytes(each, mostFileBytes)?.toString('utf8') ?? '').entries,
  )
  const last = (key: string): string | undefined => entries.findLast((each) => each.key === key)?.value?.toLowerCase()
  return { isSparse: /^(true|yes|on|1)$/.test(last('core.sparsecheckout') ?? ''), isSha256: last('extensions.objectformat') === 'sha256' }
}
