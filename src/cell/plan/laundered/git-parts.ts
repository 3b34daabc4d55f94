/**
 * How a file or directory of a git directory (gitrepository-layout(5)) is treated. `keep` and `remove` need no look at the content. The
 * others are kept if their content is as it should be.
 */
export type Part =
  | 'keep'
  | 'remove'
  | 'config'
  | 'head'
  | 'ref'
  | 'packed-refs'
  | 'ids'
  | 'index'
  | 'alternates'
  /** A linked work tree's own directory. */
  | 'worktree'
  /** A submodule's git directory, or a directory that contains some. */
  | 'modules'

const topFiles: Readonly<Record<string, Part>> = {
  HEAD: 'head',
  config: 'config',
  'packed-refs': 'packed-refs',
  index: 'index',
  shallow: 'ids',
  ORIG_HEAD: 'ids',
  FETCH_HEAD: 'keep',
  COMMIT_EDITMSG: 'keep',
  description: 'keep',
}
const topDirectories = new Set(['refs', 'logs', 'objects', 'info', 'hooks', 'branches', 'worktrees', 'modules'])
const ofWorktree: Readonly<Record<string, Part>> = { ...topFiles, gitdir: 'keep', commondir: 'keep', locked: 'keep', config: 'remove' }
const pack = /^(?:pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|bitmap|keep|mtimes|promisor)|multi-pack-index(?:-[0-9a-f]{40,64}\.\w+)?)$/

/**
 * Returns how an entry is treated, by its path in the git directory. Everything that is not listed is removed: hooks, the state of a
 * rebase or merge, lists that change what git shows.
 */
export function partAt(names: readonly string[], kind: 'file' | 'directory', isWorktree: boolean): Part {
  const [top = '', second = '', third = ''] = names
  const isFile = kind === 'file'
  if (names.length === 1) {
    // Moved there by an earlier laundering.
    if (isFile && /\.quarantined(?:-\d+)?$/.test(top)) return 'keep'
    if (isFile) return (isWorktree ? ofWorktree : topFiles)[top] ?? 'remove'
    return topDirectories.has(top) && !(isWorktree && !['refs', 'logs'].includes(top)) ? 'keep' : 'remove'
  }
  const keepIf = (condition: boolean): Part => (condition ? 'keep' : 'remove')
  switch (top) {
    case 'refs':
      if (['replace', 'bisect', 'rewritten'].includes(second) || !isRefName(names) || isPartOfGit(names)) return 'remove'
      return isFile ? 'ref' : 'keep'
    case 'logs':
      return keepIf((second === 'refs' || (second === 'HEAD' && names.length === 2)) && isRefName(names) && !isPartOfGit(names))
    case 'objects':
      if (names.length === 2) return keepIf(!isFile && /^(?:[0-9a-f]{2}|info|pack)$/.test(second))
      if (second === 'info') return isFile && third === 'alternates' ? 'alternates' : keepIf(isFile && third === 'packs')
      return keepIf(isFile && names.length === 3 && (second === 'pack' ? pack : /^[0-9a-f]{38,62}$/).test(third))
    case 'info':
      return keepIf(isFile && ['exclude', 'refs'].includes(second) && names.length === 2)
    case 'hooks':
      return keepIf(isFile && second.endsWith('.sample'))
    case 'worktrees':
      return isFile ? 'remove' : 'worktree'
    case 'modules':
      return isFile ? 'remove' : 'modules'
    default:
      return 'remove'
  }
}

/** Returns true for a path with a name without which a directory of refs or logs cannot be a repository of its own. */
function isPartOfGit(names: readonly string[]): boolean {
  return names.includes('objects') || names.includes('commondir')
}

/** Returns true for the path of a valid ref, or of the directory or log of one (git-check-ref-format(1)). */
export function isRefName(names: readonly string[]): boolean {
  return names.every(
    (each) =>
      each !== '' &&
      !each.startsWith('.') &&
      !each.endsWith('.lock') &&
      !each.endsWith('.') &&
      !each.includes('..') &&
      !each.includes('@{') &&
      !/[\x00-\x20\x7f~^:?*[\\\ufffd]/.test(each),
  )
}
