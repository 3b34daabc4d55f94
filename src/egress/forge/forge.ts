import type { CredentialHost, CredentialPlace } from '../placeholder/credential.ts'
import type { HttpRule, RuleAction } from '../policy/egress-policy.ts'
import type { ForgeKind } from './kind.ts'
import { namedRequests } from './named.ts'
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
const looks = [...reads, 'OPTIONS']
const writes = ['POST', 'PUT', 'PATCH', 'DELETE']
const places: readonly CredentialPlace[] = [
  { kind: 'basic', part: 'password' },
  { kind: 'header', name: 'authorization', scheme: 'Bearer' },
  { kind: 'header', name: 'authorization', scheme: 'token' },
]

/** Requests to one host. */
interface Requests {
  readonly host: string
  readonly methods: readonly string[]
  readonly paths: readonly string[]
  readonly hint?: string
}

/** Returns the uses of the token and the rules for the repositories of one host. */
export function forgeOf(host: string, kind: ForgeKind, wishes: readonly RepositoryWish[]): Forge {
  const api = apiOf(host, kind)
  const uses: CredentialHost[] = []
  const asked: Requests[] = []
  const never =
    api === null ? [] : neverUsedFor[api.dialect].flatMap((each) => spelt(each.path).map((path) => ({ ...each, path: api.base + path })))
  const except = never.map(({ methods, path }) => ({ methods, path }))
  const use = (at: string, paths: readonly string[], methods: readonly string[], more: Partial<CredentialHost> = {}): void =>
    void uses.push({ host: at, port: 443, tls: true, paths, methods, ...more })
  const advertised: string[] = []
  for (const wish of wishes) {
    const git = gitPaths(wish)
    use(host, below(git, '/info/refs'), reads, { query: { service: 'git-upload-pack' } })
    use(host, below(git, '/git-upload-pack'), ['POST'])
    if (api !== null && wish.path === null) use(api.host, [`${api.base}/**`], reads, { except })
    if (api !== null && wish.path !== null) {
      const { itself, read } = namedPaths(wish.path, api)
      use(api.host, [itself], reads, { hidden: namedRequests[api.dialect].hidden })
      use(api.host, read, reads)
    }
    if (wish.access === 'read') continue
    advertised.push(...below(git, '/info/refs'))
    use(host, below(git, '/info/refs'), reads, { query: { service: 'git-receive-pack' } })
    // The answer to an LFS batch request contains another credential, for uploads and for downloads.
    const sent: Requests[] = [
      { host, methods: ['POST'], paths: below(git, '/git-receive-pack') },
      { host, methods: [], paths: below(git, '/info/lfs/**') },
    ]
    if (api !== null) {
      const paths = wish.path === null ? [`${api.base}/**`, api.graphql] : namedPaths(wish.path, api).write
      sent.push({ host: api.host, methods: writes, paths, hint: answer })
    }
    if (api?.uploads != null)
      sent.push({ host: api.uploads.host, methods: writes, paths: uploadPaths(wish, api.uploads.base), hint: answer })
    for (const each of sent) use(each.host, each.paths, each.methods, wish.path === null ? { except } : {})
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
      rules: [
        ...never
          .filter(({ anonymous }) => each === api?.host && anonymous !== true)
          .map(({ methods, path, why }) => rule('deny', methods, path, { hint: `--repo never permits it, because it ${why}` })),
        // Reading the advertised refs is allowed. Only the request that changes the repository asks, so there is one question per push.
        ...(each === host ? advertised : []).map((path) => rule('allow', ['GET'], path, receive)),
        ...asked
          .filter((one) => one.host === each)
          .flatMap(({ methods, paths, hint }) => paths.map((path) => rule('ask', methods, path, hint === undefined ? {} : { hint }))),
        rule('deny', [], '/**/info/refs', receive),
        rule('deny', [], '/**/git-receive-pack'),
        ...(api?.host === each ? apiRules(host, wishes, api) : []),
        rule('allow', looks, '/**'),
        rule('allow', ['POST'], '/**/git-upload-pack'),
        rule('allow', ['POST'], '/**/info/lfs/objects/batch'),
        ...(api?.host === each ? [rule('deny', [], `${api.base}/**`, { hint: `To permit it: --repo ${host}=write` })] : []),
        rule('deny', [], '/**'),
      ],
    })),
  }
}

const answer = 'The user can permit it with: paddock approvals'
const receive = { query: { service: 'git-receive-pack' } }

const rule = (action: RuleAction, methods: readonly string[], path: string, more: Pick<HttpRule, 'query' | 'hint'> = {}): HttpRule => ({
  action,
  methods,
  path,
  ...more,
  source: 'repo',
})

/** Returns rules that allow reading the listed paths of the named repositories, and deny their other paths and GraphQL, each with a hint. */
function apiRules(host: string, wishes: readonly RepositoryWish[], api: Api): readonly HttpRule[] {
  const requests = namedRequests[api.dialect]
  const named = wishes.flatMap(({ path }) => (path === null ? [] : [{ path, at: namedPaths(path, api) }]))
  const to = (option: string) => ({ hint: `To permit it: --repo ${option}` })
  const [first] = named
  const [command, resource] = requests.example
  const rest = first === undefined ? '' : `${command} ${requests.at(first.path).slice(1).replace('*', 'NAME')}/${resource}`
  const graphql = first === undefined ? to(`${host}=write`) : { hint: `GraphQL cannot be held to one repository, so use REST: ${rest}` }
  return [
    rule('deny', [], api.graphql, graphql),
    ...named.flatMap(({ path, at }) => at.write.map((each) => rule('deny', writes, each, to(`${host}/${path.join('/')}=write`)))),
    ...(named.length < wishes.length ? [] : named).flatMap(({ at }) => [at.itself, ...at.read].map((each) => rule('allow', reads, each))),
    ...(named.length < wishes.length ? [] : named).flatMap(({ at }) => [
      rule('deny', looks, `${at.itself}/**`, to(host)),
      rule('deny', [], `${at.itself}/**`, to(`${host}=write`)),
    ]),
  ]
}

function gitPaths({ path }: RepositoryWish): readonly string[] {
  if (path === null) return ['/**']
  const plain = `/${path.join('/')}`
  return path.at(-1) === '*' ? [plain] : [plain, `${plain}.git`]
}

const below = (paths: readonly string[], rest: string): readonly string[] => paths.map((each) => each + rest)

/** Returns the paths of the API at which the token is used for a named repository. */
function namedPaths(path: readonly string[], { base, dialect }: Api) {
  const { at, read, write } = namedRequests[dialect]
  const itself = base + at(path)
  const under = (each: string): string => `${itself}/${each}`
  return { itself, read: read.map(under), write: write.map(under) }
}

function uploadPaths({ path }: RepositoryWish, base: string): readonly string[] {
  return [`${base}/repos/${path === null ? '*/*' : path.join('/')}/releases/**`]
}
