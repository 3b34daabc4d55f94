/**
 * Variables by which git uses another repository, index or object store than those of its directory (git-rev-parse(1), --local-env-vars),
 * except for settings.
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
 * Returns an environment in which git works on the repository that it is started in. Hooks, aliases and `git rebase --exec` set the others for
 * what they run.
 */
export function ofAnyRepository(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ofRepository.has(name)))
}
