import { readdirSync } from 'node:fs'
import { lstatOrNull } from '../files/tree-names.ts'

/** Names that make a directory a git directory. */
export const gitDirectoryNames: ReadonlySet<string> = new Set(['HEAD', 'commondir', 'objects', 'refs'])

/**
 * Returns true for a directory that git recognizes as a repository, whatever its name, and whose config git obeys: it has HEAD and either
 * objects and refs, or a `commondir` that names the directory of these (gitrepository-layout(5); is_git_directory in git's setup.c).
 */
export function looksLikeGitDirectory(names: { has(name: string): boolean }): boolean {
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}

/**
 * Returns true if a part of a git directory that makes it a repository, or that git obeys, was created, moved there or changed since a time
 * (milliseconds since the epoch). `directory` may end in names that are not UTF-8.
 */
export function isConfiguredSince(directory: Buffer, since: number): boolean {
  const at = (name: string): Buffer => Buffer.concat([directory, Buffer.from(`/${name}`)])
  const changed = (file: Buffer): boolean => (lstatOrNull(file)?.ctimeMs ?? 0) >= since
  if (changed(directory) || [...gitDirectoryNames, 'config', 'config.worktree', 'hooks'].some((each) => changed(at(each)))) return true
  try {
    return readdirSync(at('hooks'), { encoding: 'buffer' }).some((each) => changed(Buffer.concat([at('hooks'), Buffer.from('/'), each])))
  } catch {
    // The git directory has no hooks.
    return false
  }
}
