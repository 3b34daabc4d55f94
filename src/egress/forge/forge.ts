import type { CredentialHost, CredentialPlace } from '../placeholder/credential.ts'
import type { HttpRule, RuleAction } from '../policy/egress-policy.ts'
import { type Api, apiOf, apiPaths, uploadPaths } from './forge-api.ts'
import type { ForgeKind } from './kind.ts'
import { namedRequests } from './named-repository.ts'
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

const reads = ['GET', 'HEAD']
const looks = [...reads, 'OPTIONS']
const writes = ['POST', 'PUT', 'PATCH', 'DELETE']
const places: readonly CredentialPlace[] = [
  { kind: 'basic', part: 'password' },
  { kind: 'header', name: 'authorization', scheme: 'Bearer' },
  { kind: 'header', name: 'authorization', scheme: 'token' },
]

const receive = { service: 'git-receive-pack' }
const answered = 'The user can permit it with: paddock approvals'

/** Limits of a permission, and the hint for a question that nobody answered. */
type More = Pick<CredentialHost, 'query' | 'except' | 'hidden'> & Pick<HttpRule, 'hint'>

/** Returns the uses of the token and the rules for the repositories of one host. */
export function forgeOf(host: string, kind: ForgeKind, wishes: readonly RepositoryWish[]): Forge {
  const api = apiOf(host, kind)
  const never =
    api === null ? [] : neverUsedFor[api.dialect].flatMap((each) => spelt(each.path).map((path) => ({ ...each, path: api.base + path })))
  const uses: CredentialHost[] = []
  const ofApi: HttpRule[] = []
  const ofHosts = new Map<string, HttpRule[]>([host, api?.host ?? host].map((each) => [each, []]))
  const permit = (action: 'allow' | 'ask', at: string, methods: readonly string[], paths: readonly string[], more: More = {}): void => {
    if (paths.length === 0) return
    const { hint, ...limits } = more
    uses.push({ host: at, port: 443, tls: true, paths, methods, ...limits })
    const words = { ...(more.query && { query: more.query }), ...(hint && { hint }) }
    if (!ofHosts.has(at)) ofHosts.set(at, [])
    for (const path of paths) (isOf(api, at, path) ? ofApi : ofHosts.get(at))?.push(rule(action, methods, path, words))
  }
  for (const wish of wishes) {
    const git = gitPaths(wish)
    const limits = wish.path === null ? { except: never.map(({ methods, path }) => ({ methods, path })) } : {}
    // The patterns of git at a whole host also match paths of an API on the same host.
    const apart = wish.path === null && api?.host === host ? { except: [{ methods: [], path: `${api.base}/**` }] } : {}
    const at = api === null ? null : apiPaths(wish.path, api)
    permit('allow', host, reads, below(git, '/info/refs'), { query: { service: 'git-upload-pack' }, ...apart })
    permit('allow', host, ['POST'], below(git, '/git-upload-pack'), apart)
    if (api !== null && at !== null) {
      permit('allow', api.host, reads, at.read, limits)
      permit('allow', api.host, reads, at.itself, { hidden: namedRequests[api.dialect].hidden })
    }
    if (wish.access === 'read') continue
    // Reading the advertised refs is allowed. Only the request that changes the repository asks, so there is one question per push.
    permit('allow', host, reads, below(git, '/info/refs'), { query: receive, ...apart })
    permit('ask', host, ['POST'], below(git, '/git-receive-pack'), apart)
    // The answer to an LFS batch request contains another credential, for uploads and for downloads.
    permit('ask', host, [], below(git, '/info/lfs/**'), apart)
    if (api !== null && at !== null) permit('ask', api.host, writes, at.write, { ...limits, hint: answered })
    if (api?.uploads != null) permit('ask', api.uploads.host, writes, uploadPaths(wish, api.uploads.base), { hint: answered })
  }
  if (api !== null) {
    const about = api.about.flatMap((each) => (each === '/' && api.base !== '' ? [api.base, `${api.base}/`] : [api.base + each]))
    permit('allow', api.host, reads, about)
  }
  const denied = never.filter(({ anonymous }) => anonymous !== true)
  return {
    host,
    kind,
    uses,
    places: kind === 'gitlab' ? [...places, { kind: 'header', name: 'private-token' }] : places,
    hosts: [...ofHosts].map(([at, rules]) => ({
      host: at,
      rules: [
        // First, because patterns of git match paths of an API on the same host.
        ...(api !== null && at === api.host ? [...denied.map(deniedFor), ...ofApi, ...atApi(host, wishes, api)] : []),
        ...rules,
        rule('deny', [], '/**/info/refs', { query: receive }),
        rule('deny', [], '/**/git-receive-pack'),
        rule('allow', looks, '/**'),
        rule('allow', ['POST'], '/**/git-upload-pack'),
        rule('allow', ['POST'], '/**/info/lfs/objects/batch'),
        rule('deny', [], '/**'),
      ],
    })),
  }
}

/** Returns whether a path of a host belongs to the API. */
function isOf(api: Api | null, at: string, path: string): boolean {
  return at === api?.host && (path === api.graphql || path === api.base || path.startsWith(`${api.base}/`))
}

const deniedFor = ({
  methods,
  path,
  why,
}: {
  readonly methods: readonly string[]
  readonly path: string
  readonly why: string
}): HttpRule => rule('deny', methods, path, { hint: `--repo never permits it, because it ${why}` })

const permittedBy = (option: string) => ({ hint: `To permit it: --repo ${option}` })

const rule = (action: RuleAction, methods: readonly string[], path: string, more: Pick<HttpRule, 'query' | 'hint'> = {}): HttpRule => ({
  action,
  methods,
  path,
  ...more,
  source: 'repo',
})

/** Returns the rules for what is not permitted at the API, each with a hint: others may read it without the token, but not the named repositories. */
function atApi(host: string, wishes: readonly RepositoryWish[], api: Api): readonly HttpRule[] {
  const { at, example } = namedRequests[api.dialect]
  const named = wishes.flatMap(({ path, access }) => (path === null ? [] : [{ path, access }]))
  const [first] = named
  const rest = first === undefined ? '' : `${example[0]} ${at(first.path).slice(1).replace('*', 'NAME')}/${example[1]}`
  const useRest = { hint: `GraphQL cannot be held to one repository, so use REST: ${rest}` }
  return [
    rule('deny', [], api.graphql, first === undefined ? permittedBy(`${host}=write`) : useRest),
    ...named
      .filter(({ access }) => access === 'read')
      .flatMap(({ path }) =>
        apiPaths(path, api).write.map((each) => rule('deny', writes, each, permittedBy(`${host}/${path.join('/')}=write`))),
      ),
    ...(named.length < wishes.length ? [] : named).flatMap(({ path }) => [
      rule('deny', looks, `${api.base}${at(path)}/**`, permittedBy(host)),
      rule('deny', [], `${api.base}${at(path)}/**`, permittedBy(`${host}=write`)),
    ]),
    rule('allow', looks, `${api.base}/**`),
    rule('deny', [], `${api.base}/**`, permittedBy(`${host}=write`)),
  ]
}

function gitPaths({ path }: RepositoryWish): readonly string[] {
  if (path === null) return ['/**']
  const plain = `/${path.join('/')}`
  return path.at(-1) === '*' ? [plain] : [plain, `${plain}.git`]
}

const below = (paths: readonly string[], rest: string): readonly string[] => paths.map((each) => each + rest)
