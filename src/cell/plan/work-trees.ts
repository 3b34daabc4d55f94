import { existsSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { runLaterOfGit } from './protected/run-later.ts'
import type { TreeSearch } from './tree-search.ts'
import { newView } from './work-trees-view.ts'

/** Adds the linked work trees of a git directory, and returns the entries of those in the project. `entries`: the directories in its `worktrees`. */
export function addWorkTrees(found: TreeSearch, git: string, entries: readonly string[]): readonly string[] {
  const [own, others]: [string[], string[]] = [[], []]
  for (const entry of entries) {
    const back = readRegularSync(path.join(entry, 'gitdir'), 4096)?.trim()
    const workTree = back ? path.dirname(path.resolve(entry, back)) : null
    const isOwn = workTree !== null && (workTree === found.project || workTree.startsWith(`${found.project}/`))
    ;(isOwn ? own : others).push(path.basename(entry))
    // Another work tree's own configuration may also name a path in the project.
    if (isOwn || existsSync(path.join(entry, 'config.worktree'))) found.repository(entry, workTree)
    if (!isOwn) continue
    found.guard(entry)
    for (const rule of runLaterOfGit) if (rule.kind === 'file' && rule.path !== 'config') found.look(entry, rule, true)
    // Without this file git forgets the work tree, and another path in the config becomes a work tree that nobody created.
    found.look(entry, { path: 'gitdir', kind: 'file', inert: null }, false)
  }
  const directory = path.join(git, 'worktrees')
  const ownEntries = own.map((each) => path.join(directory, each))
  if (others.length === 0) return ownEntries
  found.views.push({ directory, view: newView(directory), own, others })
  return ownEntries
}
