import { readRegularSync } from '../files/read-regular.ts'
import { expandPath, type GitUser, realOf } from './git-settings.ts'

/** A repository for which a configuration is read. */
export interface GitPlace {
  /** The git directory that contains HEAD. */
  readonly git: string
  /** The URLs of the repository's remotes. */
  readonly remotes: readonly string[]
}

/**
 * Returns true if git applies the files of an `includeIf` section (git-config(1), Conditional includes). A condition that this function
 * does not know is false, as in git. `file`: the configuration that contains the section. `place`: null outside of a repository.
 */
export function includeApplies(
  condition: string,
  file: string | null,
  user: Pick<GitUser, 'home' | 'name'>,
  place: GitPlace | null,
): boolean {
  if (place === null) return false
  const [, kind = '', pattern = ''] = /^(gitdir|gitdir\/i|onbranch|hasconfig:remote\.\*\.url):(.*)$/s.exec(condition) ?? []
  switch (kind) {
    case 'gitdir':
    case 'gitdir/i': {
      const glob = directoryGlob(pattern, file, user)
      return glob !== null && [realOf(place.git), place.git].some((each) => globPattern(glob, kind === 'gitdir/i').test(each))
    }
    case 'onbranch': {
      const branch = /^ref: refs\/heads\/(.+)$/.exec(readRegularSync(`${place.git}/HEAD`, 4096)?.trim() ?? '')?.[1]
      return branch !== undefined && globPattern(pattern.endsWith('/') ? `${pattern}**` : pattern).test(branch)
    }
    case '':
      return false
    default:
      return place.remotes.some((each) => globPattern(pattern).test(each))
  }
}

function directoryGlob(pattern: string, file: string | null, user: Pick<GitUser, 'home' | 'name'>): string | null {
  const full = pattern.endsWith('/') ? `${pattern}**` : pattern
  if (full.startsWith('./')) return file === null ? null : `${realOf(file).replace(/\/[^/]*$/, '')}${full.slice(1)}`
  const expanded = expandPath(full, user)
  return expanded === null || expanded.startsWith('/') ? expanded : `**/${expanded}`
}

/** Returns a pattern of wildmatch with path names (gitignore(5), PATTERN FORMAT) as a regular expression. */
function globPattern(glob: string, ignoreCase = false): RegExp {
  const parts = glob.match(/(?<![^/])\*\*\/|(?<=\/)\*\*$|^\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|[\s\S]/g) ?? []
  const source = parts.map((each, index) => {
    if (each === '**/') return '(?:.*/)?'
    if (each === '**' && index === parts.length - 1 && (index === 0 || parts[index - 1]?.endsWith('/'))) return '.*'
    if (each.startsWith('*')) return '[^/]*'
    if (each === '?') return '[^/]'
    if (each.length > 2 && each.startsWith('[')) return `(?!/)${each.replace(/^\[!/, '[^').replace(/(?<=.)\\?\[/g, '\\[')}`
    return (each.length === 2 ? each.slice(1) : each).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  })
  try {
    return new RegExp(`^${source.join('')}$`, ignoreCase ? 'is' : 's')
  } catch {
    return /(?!)/
  }
}
