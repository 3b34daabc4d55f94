/** Directories for programs of this machine or of a cell. A task cannot have files there. */
const system = [
  'bin',
  'boot',
  'dev',
  'etc',
  'home',
  'lib',
  'lib32',
  'lib64',
  'proc',
  'root',
  'run',
  'sbin',
  'sys',
  'tmp',
  'usr',
  'var',
  'contest',
  'agent',
  'check',
  'inputs',
  'result',
  'reward',
  'submission',
  'tests',
  'logs',
  'solution',
  'environment',
]
/** Directories that are shared, so that only their subdirectories can belong to a task. */
const shared = ['opt', 'srv', 'mnt', 'media']

/** The directories of a task, or the reason why the task cannot have them. */
export type Places = { readonly directories: readonly string[] } | { readonly reason: string }

/**
 * Returns the directories that contain all these absolute paths: the first name of each path, or the first two in a shared directory. None
 * of the directories is inside another.
 */
export function placesOf(workdir: string, paths: readonly string[]): Places {
  const found = new Set<string>()
  for (const each of [workdir, ...paths]) {
    const parts = each.split('/').filter((part) => part !== '')
    const [first = ''] = parts
    if (parts.length === 0) {
      if (each === workdir) return { reason: 'its working directory is /' }
      continue
    }
    const depth = shared.includes(first) ? 2 : 1
    if (system.includes(first) || parts.length < depth) return { reason: `it works in ${each}, which is a directory of the system here` }
    found.add(`/${parts.slice(0, depth).join('/')}`)
  }
  return { directories: [...found].toSorted() }
}
