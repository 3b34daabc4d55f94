import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { entriesOf } from '../../files/entries-of.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { configFileOf } from '../../git/config-put-aside.ts'
import { readGitConfig } from '../../git/config-syntax.ts'
import { realOf } from '../../git/git-settings.ts'
import { contains } from './filesystem.ts'
import { commonDirectory, gitDirectoryOf } from './git-facts.ts'
import type { MachineFacts, ProjectFacts } from './machine-facts.ts'
import type { WayOut } from './ways-out.ts'

const mostDirectories = 200
const mostHooks = 50
const mostHookBytes = 1024 ** 2
const mostShown = 4

/**
 * Returns one sentence for each place outside of a project that the project uses and the cell does not have: where git finds its objects
 * or its git directory, the programs of its hooks, and where links and the files of package managers lead (`ways`). Nothing of it is mounted by
 * itself, because an earlier cell may have made the file or the link. Only a store that lists the project is (`packageStores`).
 * `isInCell`: returns true for a path that the cell has.
 */
export function outsideNotices(
  project: string,
  facts: Pick<ProjectFacts, 'outerGit'> | undefined,
  ways: readonly WayOut[],
  machine: Pick<MachineFacts, 'realHome'>,
  isInCell: (file: string) => boolean,
): readonly string[] {
  const isMissing = (file: string): boolean => !contains(project, file) && !isInCell(file) && existsSync(file)
  const dotGit = path.join(project, '.git')
  const git = gitDirectoryOf(dotGit)
  const notices: string[] = []
  if (git !== null && facts?.outerGit === null && isMissing(git)) notices.push(gitNotice(git))
  for (const each of alternatesOf(path.join(commonDirectory(git ?? dotGit), 'objects')).filter(isMissing))
    notices.push(`git objects of this repository are in ${each}, which the cell does not have: --ro ${each}`)
  for (const { hook, file } of hookPrograms(project, commonDirectory(git ?? dotGit)))
    if (isMissing(file))
      notices.push(`the git hook ${hook} uses ${file}, which the cell does not have${option(homeOf(file), machine.realHome)}`)
  const missing = ways.filter(({ target }) => isMissing(target))
  for (const { what, target } of missing.slice(0, mostShown))
    notices.push(`${what} ${target}, which the cell does not have${option(target, machine.realHome)}`)
  const more = missing.length - mostShown
  if (more > 0)
    notices.push(`${more} more ${more === 1 ? 'path leads' : 'paths lead'} out of the project, to places that the cell does not have`)
  return notices
}

function gitNotice(git: string): string {
  return path.basename(path.dirname(git)) === 'worktrees'
    ? `git does not work in the cell, because ${git} does not name this work tree; to fix that, run: git worktree repair`
    : `git does not work in the cell, because the git directory is ${git}: --ro ${git}, or --rw to let the agent commit`
}

/** Returns the directories from which git takes further objects (gitrepository-layout(5), objects/info/alternates). A cell may have written them. */
function alternatesOf(objects: string): readonly string[] {
  const found = new Set([objects])
  for (const each of found) {
    const lines = (readRegularSync(path.join(each, 'info/alternates'), 64 * 1024) ?? '').split('\n')
    for (const line of lines.filter((text) => text !== '' && !text.startsWith('#')))
      if (found.size < mostDirectories) found.add(realOf(path.resolve(each, line)))
  }
  return [...found].slice(1)
}

/** Returns the programs that the scripts of a repository's hooks name by absolute paths (githooks(5)), such as the Python that pre-commit was installed with. */
function hookPrograms(project: string, common: string): readonly { readonly hook: string; readonly file: string }[] {
  const { entries } = readGitConfig(readRegularSync(configFileOf(common), mostHookBytes) ?? '')
  const configured = entries.findLast((each) => each.key === 'core.hookspath')?.value
  const directory = configured ? path.resolve(project, configured) : path.join(common, 'hooks')
  const hooks = entriesOf(directory).filter((each) => each.isFile() && !each.name.endsWith('.sample'))
  return hooks.slice(0, mostHooks).flatMap(({ name }) => {
    const words = (readRegularSync(path.join(directory, name), mostHookBytes) ?? '').match(/(?<=[\s"'=:])\/[\w./@+-]+/g) ?? []
    return [...new Set(words)]
      .filter(isProgram)
      .slice(0, mostShown)
      .map((file) => ({ hook: name, file }))
  })
}

function isProgram(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0
}

/** Returns the directory that a program in a directory `bin` needs, or else the file. */
function homeOf(file: string): string {
  return path.basename(path.dirname(file)) === 'bin' ? path.dirname(path.dirname(file)) : file
}

/** Returns the end of a sentence that names the option for a place outside, if one can recommend it. */
function option(target: string, home: string): string {
  return isPrivate(target, home) ? '' : `: --ro ${target}`
}

/** Returns true for hidden files and directories in the home, where settings and credentials are. Caches and data of programs are not. */
function isPrivate(target: string, home: string): boolean {
  const inHome = path.relative(home, target)
  return contains(target, home) || (/^\.(?!\.)/.test(inHome) && !/^\.(cache\/|local\/share\/|bun\/install\/cache(\/|$))/.test(inHome))
}
