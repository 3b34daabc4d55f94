/**
 * Variables that make git use a repository, index or object store other than that of its directory. Variables for settings are not included
 * (git-rev-parse(1), --local-env-vars).
 */
const ofRepository: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
])

/**
 * Returns an environment in which git uses the repository of its working directory. Hooks, aliases and `git rebase --exec` set these
 * variables for their commands.
 */
export function ofAnyRepository(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ofRepository.has(name)))
}
