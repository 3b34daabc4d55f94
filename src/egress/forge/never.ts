/** API requests for which the user's token is never used, even if a whole host was named. */
interface Never {
  /** The path relative to the base of the API. */
  readonly path: string
  /** Empty means every method. */
  readonly methods: readonly string[]
  readonly why: string
  /** True if the request is allowed without a token. Otherwise it is denied. */
  readonly anonymous?: true
}

const opens = 'creates or stores a credential with wider or longer access than this cell has'
const people = 'gives someone else access'
const secret = 'returns or sets secrets'
const sends = 'makes the forge send events of the repository to a host that the caller chooses'
const gates = 'answers in the user’s name a question that the forge asks a human'
const exposes = 'publishes, transfers or deletes the repository'
const numbered = 'identifies a repository by its number, which does not show which one it is'
const changes = ['POST', 'PUT', 'PATCH', 'DELETE']
const reads = ['GET', 'HEAD']
const any: readonly string[] = []

/** Returns the rows for paths under a prefix. */
const rows = (why: string, methods: readonly string[], under: string, paths: string): readonly Never[] =>
  paths.split(' ').map((each) => ({ path: under + each, methods, why }))
const anonymous = (found: readonly Never[]): readonly Never[] => found.map((each) => ({ ...each, anonymous: true }))

/** Requests of GitHub's REST API, under `https://api.github.com` or `https://HOST/api/v3` (its reference, version 2022-11-28). */
const github: readonly Never[] = [
  ...rows(opens, any, '/repos/*/*', '/keys/** /actions/runners/** /actions/oidc/** /codespaces/** /pulls/*/codespaces'),
  ...rows(opens, changes, '/repos/*/*', '/actions/permissions/**'),
  ...rows(secret, any, '/repos/*/*/actions', '/secrets/** /organization-secrets/**'),
  ...rows(secret, any, '/repos/*/*', '/dependabot/secrets/** /environments/*/secrets/** /secret-scanning/**'),
  ...rows(sends, any, '/repos/*/*', '/hooks/** /import/**'),
  ...rows(people, changes, '/repos/*/*', '/collaborators/** /security-advisories/**'),
  ...rows(people, any, '/repos/*/*', '/invitations/**'),
  ...rows(gates, any, '/repos/*/*/actions/runs/*', '/approve /deployment_protection_rule'),
  ...rows(gates, changes, '/repos/*/*', '/actions/runs/*/pending_deployments /branches/*/protection/** /rulesets/** /environments/**'),
  ...rows(exposes, changes, '/repos/*/*', ' /pages/**'),
  ...rows(exposes, any, '/repos/*/*', '/transfer /generate'),
  ...anonymous(rows(numbered, any, '/repositories', '/**')),
  ...rows(opens, any, '/user', '/keys/** /gpg_keys/** /ssh_signing_keys/** /codespaces/**'),
  ...rows(opens, changes, '/user', '/emails/** /email/**'),
  ...rows(people, changes, '/user', '/repository_invitations/** /memberships/**'),
  ...rows(opens, any, '', '/authorizations/** /applications/** /app/** /app-manifests/** /installation/** /enterprises/** /admin/**'),
  ...rows(opens, any, '/orgs/*', '/actions/runners/** /actions/oidc/** /personal-access-token*/** /credential-authorizations/**'),
  ...rows(opens, changes, '/orgs/*', '/actions/permissions/**'),
  ...rows(secret, any, '/orgs/*', '/actions/secrets/** /dependabot/secrets/** /codespaces/** /secret-scanning/**'),
  ...rows(sends, any, '/orgs/*', '/hooks/**'),
  ...rows(people, changes, '/orgs/*', '/members/** /memberships/** /invitations/** /outside_collaborators/** /teams/**'),
  ...rows(people, changes, '', '/teams/** /organizations/**'),
  ...rows(people, any, '', '/scim/**'),
]

/** Requests of GitLab's REST API, under `https://HOST/api/v4` (reference, version 17). A project is one segment with escaped slashes. */
const gitlab: readonly Never[] = [
  // The answers to the owner, also about a fork, contain the token with which runners register.
  ...anonymous([...rows(opens, reads, '/projects', '/*'), ...rows(opens, reads, '/groups', '/*')]),
  ...rows(exposes, changes, '/projects/*', ' /pages/**'),
  ...rows(opens, any, '/projects/*', '/fork/** /access_tokens/** /deploy_tokens/** /deploy_keys/** /runners/** /triggers/** /trigger/**'),
  ...rows(opens, any, '/projects/*', '/cluster_agents/** /clusters/** /job_token_scope/** /error_tracking/**'),
  ...rows(secret, any, '/projects/*', '/variables/** /secure_files/** /terraform/** /pipelines/*/variables /pipeline_schedules/**'),
  ...rows(sends, any, '/projects/*', '/export/** /hooks/** /integrations/** /services/** /remote_mirrors/** /mirror/**'),
  ...rows(people, changes, '/projects/*', '/members/** /invitations/** /access_requests/**'),
  ...rows(people, any, '/projects/*', '/share/**'),
  ...rows(gates, any, '/projects/*', '/deployments/*/approval'),
  ...rows(gates, changes, '/projects/*', '/protected_*/** /approval*/** /push_rule'),
  ...rows(exposes, any, '/projects/*', '/transfer /archive'),
  ...rows(opens, changes, '', '/user/** /users/**'),
  ...rows(opens, any, '', '/personal_access_tokens/** /runners/** /keys/** /deploy_tokens/** /deploy_keys/**'),
  ...rows(opens, any, '', '/applications/** /application/** /admin/**'),
  ...rows(sends, any, '', '/hooks/**'),
  ...rows(exposes, changes, '/groups/*', ''),
  ...rows(opens, any, '/groups/*', '/access_tokens/** /deploy_tokens/** /ssh_certificates/** /service_accounts/** /runners/**'),
  ...rows(secret, any, '/groups/*', '/variables/**'),
  ...rows(sends, any, '/groups/*', '/hooks/** /integrations/**'),
  ...rows(people, changes, '/groups/*', '/members/** /invitations/**'),
  ...rows(people, any, '/groups/*', '/share/** /saml*/** /ldap*/**'),
]

export const neverUsedFor: Readonly<Record<'github' | 'gitlab', readonly Never[]>> = { github, gitlab }
