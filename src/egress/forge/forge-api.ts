import type { ForgeKind } from './kind.ts'
import { namedRequests } from './named-repository.ts'
import type { RepositoryWish } from './repository.ts'

/** The REST API of a forge, and its GraphQL. */
export interface Api {
  readonly host: string
  readonly base: string
  readonly dialect: 'github' | 'gitlab'
  /** Paths that do not concern a repository. Only reading is allowed. */
  readonly about: readonly string[]
  /** The destination for uploads of release files. */
  readonly uploads: { readonly host: string; readonly base: string } | null
  readonly graphql: string
}

export function apiOf(host: string, kind: ForgeKind): Api | null {
  const github = { dialect: 'github', about: ['/', '/user', '/rate_limit', '/meta'] } as const
  switch (kind) {
    case 'github':
      return { ...github, host: 'api.github.com', base: '', uploads: { host: 'uploads.github.com', base: '' }, graphql: '/graphql' }
    case 'github-enterprise':
      return { ...github, host, base: '/api/v3', uploads: { host, base: '/api/uploads' }, graphql: '/api/graphql' }
    case 'gitlab':
      return { dialect: 'gitlab', host, base: '/api/v4', about: ['/user', '/version'], uploads: null, graphql: '/api/graphql' }
    case 'git':
      return null
  }
}

/** Returns the paths of the API for which the token is used. `itself` describes the repository. Without a path: the whole API. */
export function apiPaths(path: RepositoryWish['path'], { base, dialect, graphql }: Api) {
  if (path === null) return { itself: [], read: [`${base}/**`], write: [`${base}/**`, graphql] }
  const { at, read, write } = namedRequests[dialect]
  const itself = base + at(path)
  return { itself: [itself], read: read.map((each) => `${itself}/${each}`), write: write.map((each) => `${itself}/${each}`) }
}

export function uploadPaths({ path }: RepositoryWish, base: string): readonly string[] {
  return [`${base}/repos/${path === null ? '*/*' : path.join('/')}/releases/**`]
}
