/** Names that make a directory a git directory. */
export const gitDirectoryNames: ReadonlySet<string> = new Set(['HEAD', 'commondir', 'objects', 'refs'])

/**
 * A directory that git takes for a repository, whatever its name, and whose config it obeys: it has HEAD and either objects and refs or
 * a `commondir` that says where these are (gitrepository-layout(5); is_git_directory in git's setup.c).
 */
export function looksLikeGitDirectory(names: { has(name: string): boolean }): boolean {
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}
