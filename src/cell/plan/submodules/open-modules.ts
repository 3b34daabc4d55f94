import path from 'node:path'
import { entriesOf } from '../../../files/entries-of.ts'
import { readRegularSync } from '../../../files/read-regular.ts'
import { withoutLogins } from '../../../git/config-logins.ts'
import { readGitConfig } from '../../../git/config-syntax.ts'
import { gitConfigText } from '../../../git/write-config.ts'
import { commonDirectory, isGitDirectory } from '../git-facts.ts'
import type { TreeSearch } from '../tree-search.ts'
import { newView } from '../work-trees-view.ts'
import { type DeclaredSubmodules, declaredSubmodules } from './declared.ts'

/**
 * Gives the cell a place for the git directories of new submodules (`modules`), in the repository of the root and in each one that declares
 * submodules. Git on the host does not see them before the cell has ended. Returns the declared submodules of these repositories.
 */
export function openModules(found: TreeSearch, root: string): readonly DeclaredSubmodules[] {
  return [...found.repositories].flatMap(([git, workTrees]) => {
    if (git !== found.root && !git.startsWith(`${found.root}/`)) return []
    const all = [...workTrees].flatMap((each): readonly DeclaredSubmodules[] => {
      const inCell = each === root || each.startsWith(`${root}/`) ? found.project + each.slice(root.length) : each
      const declared = declaredSubmodules(git, commonDirectory(git), each, inCell)
      return each === root || declared.submodules.length > 0 || found.kind(path.join(each, '.gitmodules')) === 'file' ? [declared] : []
    })
    const modules = path.join(git, 'modules')
    const isPlace = found.kind(modules) === 'directory' || found.absent.has(modules)
    if (all.length === 0 || !isPlace) return []
    addView(found, git, modules)
    return all
  })
}

/**
 * Returns the configs that are read-only in a cell and that it sees in another form: without logins; and those of submodules without
 * `core.worktree`, because `git submodule update` rewrites a config that has the setting, with the same value. A work tree finds its git
 * directory without it.
 */
export function shownConfigs(found: TreeSearch): readonly { readonly path: string; readonly content: string }[] {
  return [...found.present].flatMap((file) => {
    if (!/^config(?:\.worktree)?$/.test(path.basename(file)) || found.kind(file) !== 'file') return []
    const text = readRegularSync(file, 1024 ** 2) ?? ''
    const isModule = path.basename(file) === 'config' && file.slice(found.root.length).includes('/modules/')
    const content = withoutLogins(isModule ? withoutWorkTree(text) : text)
    return content === text ? [] : [{ path: file, content }]
  })
}

function withoutWorkTree(text: string): string {
  const { entries, badLine } = readGitConfig(text)
  const kept = entries.filter((each) => each.key !== 'core.worktree')
  return badLine !== null || kept.length === entries.length ? text : gitConfigText(kept)
}

/** Adds views of a directory, and of those in it that are not git directories, because names of submodules may contain slashes. */
function addView(found: TreeSearch, git: string, directory: string): void {
  const own = entriesOf(directory).flatMap((each) => (each.isDirectory() ? [each.name] : []))
  found.present.delete(directory)
  found.guard(directory)
  found.views.push({ directory, view: newView(path.join(git, 'modules')), own, others: [] })
  for (const each of own) {
    const inside = path.join(directory, each)
    if (!isGitDirectory(inside)) addView(found, git, inside)
  }
}
