import type { CredentialHost, CredentialPlace } from '../placeholder/credential.ts'
import type { HttpRule, RuleAction } from '../policy/policy.ts'
import type { ForgeKind } from './kind.ts'
import { neverUsedFor } from './never.ts'
import type { RepositoryWish } from './repository.ts'
import { spelt } from './spelt.ts'

/** The access to the repositories of one host: the uses of the token, and the allowed requests to all hosts of this forge. */
export interface Forge {
  readonly host: string
  readonly kind: ForgeKind
  /** The hosts and paths to which the token may be sent. */
  readonly uses: readonly CredentialHost[]
  readonly places: readonly CredentialPlace[]
  /** All hosts of the forge, each with its rules. */
  readonly hosts: readonly { readonly host: string; readonly rules: readonly HttpRule[] }[]
}

interface Api {
  readonly host: string
  readonly base: string
  readonly dialect: 'github' | 'gitlab'
  /** Paths that do not concern a repository. Only reading is allowed. */
  readonly about: readonly string[]
  /** The destination for uploads of release files. */
  readonly uploads: { readonly host: string; readonly base: string } | null
  readonly graphql: string
}

function apiOf(host: string, kind: ForgeKind): Api | null {
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

const reads = ['GET', 'HEAD']
const writes = ['POST', 'PUT', 'PATCH', 'DELETE']
const places: readonly CredentialPlace[] = [
  { kind: 'basic', part: 'password' },
  { kind: 'header', name: 'authorization', scheme: 'Bearer' },
  { kind: 'header', name: 'authorization', scheme: 'token' },
]

/** Returns the uses of the token and the rules for the repositories of one host. */
export function forgeOf(host: string, kind: ForgeKind, wishes: readonly RepositoryWish[]): Forge {
  const api = apiOf(host, kind)
  const uses: CredentialHost[] = []
  const asked: { readonly host: string; readonly methods: readonly string[]; readonly paths: readonly string[] }[] = []
  const never =
    api === null
      ? []
      : neverUsedFor[api.dialect].flatMap((each) =>
          spelt(each.path).map((path) => ({ ...each, methods: each.methods ?? [], path: api.base + path })),
        )
  const except = never.map(({ methods, path }) => ({ methods, path }))
  const use = (at: string, paths: readonly string[], methods: readonly string[], more: Partial<CredentialHost> = {}): void =>
    void uses.push({ host: at, port: 443, tls: true, paths, methods, ...more })
  const advertised: string[] = []
  for (const wish of wishes) {
    const git = gitPaths(wish)
    use(host, below(git, '/info/refs'), reads, { query: { service: 'git-upload-pack' } })
    use(host, below(git, '/git-upload-pack'), ['POST'])
    if (api !== null) use(api.host, apiPaths(wish, api), reads, { except })
    if (wish.access === 'read') continue
    advertised.push(...below(git, '/info/refs'))
    use(host, below(git, '/info/refs'), reads, { query: { service: 'git-receive-pack' } })
    // The answer to an LFS batch request contains another credential, for uploads and for downloads.
    const sent = [
      { host, methods: ['POST'], paths: below(git, '/git-receive-pack') },
      { host, methods: [], paths: below(git, '/info/lfs/**') },
      ...(api === null
        ? []
        : [{ host: api.host, methods: writes, paths: [...apiPaths(wish, api), ...(wish.path === null ? [api.graphql] : [])] }]),
      ...(api?.uploads == null ? [] : [{ host: api.uploads.host, methods: writes, paths: uploadPaths(wish, api.uploads.base) }]),
    ]
    for (const each of sent) use(each.host, each.paths, each.methods, { except })
    asked.push(...sent)
  }
  if (api !== null)
    use(
      api.host,
      api.about.flatMap((each) => (each === '/' && api.base !== '' ? [api.base, `${api.base}/`] : [api.base + each])),
      reads,
    )
  const hosts = [...new Set([host, ...uses.map((each) => each.host)])]
  return {
    host,
    kind,
    uses,
    places: kind === 'gitlab' ? [...places, { kind: 'header', name: 'private-token' }] : places,
    hosts: hosts.map((each) => ({
      host: each,
      rules: rulesFor(
        each === host ? advertised : [],
        asked.filter((one) => one.host === each),
        each === api?.host ? never.filter(({ anonymous }) => anonymous !== true) : [],
      ),
    })),
  }
}

/** Returns rules that allow reading, ask before a push or change that the user named, and deny everything else. */
function rulesFor(
  advertised: readonly string[],
  asked: readonly { readonly methods: readonly string[]; readonly paths: readonly string[] }[],
  never: readonly { readonly methods: readonly string[]; readonly path: string }[],
): readonly HttpRule[] {
  const rule = (action: RuleAction, methods: readonly string[], path: string, query?: HttpRule['query']): HttpRule => ({
    action,
    methods,
    path,
    ...(query === undefined ? {} : { query }),
    source: 'repo',
  })
  const receive = { service: 'git-receive-pack' }
  return [
    ...never.map(({ methods, path }) => rule('deny', methods, path)),
    // Reading the advertised refs is allowed. Only the request that changes the repository asks, so there is one question per push.
    ...advertised.map((path) => rule('allow', ['GET'], path, receive)),
    ...asked.flatMap(({ methods, paths }) => paths.map((path) => rule('ask', methods, path))),
    rule('deny', [], '/**/info/refs', receive),
    rule('deny', [], '/**/git-receive-pack'),
    rule('allow', [...reads, 'OPTIONS'], '/**'),
    rule('allow', ['POST'], '/**/git-upload-pack'),
    rule('allow', ['POST'], '/**/info/lfs/objects/batch'),
    rule('deny', [], '/**'),
  ]
}

function gitPaths({ path }: RepositoryWish): readonly string[] {
  if (path === null) return ['/**']
  const plain = `/${path.join('/')}`
  return path.at(-1) === '*' ? [plain] : [plain, `${plain}.git`]
}

const below = (paths: readonly string[], rest: string): readonly string[] => paths.map((each) => each + rest)

function apiPaths({ path }: RepositoryWish, { base, dialect }: Api): readonly string[] {
  if (path === null) return [`${base}/**`]
  return [dialect === 'gitlab' ? `${base}/projects/${path.join('%2F')}/**` : `${base}/repos/${path.join('/')}/**`]
}

function uploadPaths({ path }: RepositoryWish, base: string): readonly string[] {
  return [`${base}/repos/${path === null ? '*/*' : path.join('/')}/releases/**`]
}
