/**
 * Caches of tools in a home, relative to it. They are large, and all runs of a home share them. Everything else in a home counts as
 * something that acts: settings, hooks, programs, and files that tools find in the directories above a project.
 */
const caches = [
  '.cache',
  '.local/state',
  '.npm/_cacache',
  '.npm/_logs',
  '.yarn/berry/cache',
  '.local/share/pnpm/store',
  '.bun/install/cache',
  '.cargo/registry',
  '.cargo/git',
  '.rustup/downloads',
  'go/pkg/mod',
  '.m2/repository',
  '.gradle/caches',
  '.nuget/packages',
]

/** What a path in a home is: data that all runs share, a directory with such data, or something that acts. */
export type HomePart = 'data' | 'around' | 'acts'

/** Returns a function that classifies paths relative to a home. `agents`: data of agents; `*` is any part of one name. */
export function homeParts(agents: readonly string[] = []): (relative: string) => HomePart {
  const patterns = [...caches, ...agents].map((each) => each.split('/').map(matcher))
  return (relative) => {
    const names = relative.split('/')
    let part: HomePart = 'acts'
    for (const pattern of patterns) {
      if (!names.every((name, index) => index >= pattern.length || pattern[index]?.(name) === true)) continue
      if (names.length >= pattern.length) return 'data'
      part = 'around'
    }
    return part
  }
}

function matcher(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  const source = pattern.split('*').map((each) => each.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${source.join('.*')}$`, 's')
  return (name) => expression.test(name)
}
