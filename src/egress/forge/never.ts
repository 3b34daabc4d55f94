/** API requests for which the user's token is never used, regardless of the named repositories. */
interface Never {
  /** The path relative to the base of the API. */
  readonly path: string
  readonly methods?: readonly string[]
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
const changes = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Requests of GitHub's REST API, under `https://api.github.com` or `https://HOST/api/v3` (its reference, version 2022-11-28). */
const github: readonly Never[] = [
  { path: '/repos/*/*/keys/**', why: opens },
  { path: '/repos/*/*/actions/runners/**', why: opens },
  { path: '/repos/*/*/actions/oidc/**', why: opens },
  { path: '/repos/*/*/actions/permissions/**', methods: changes, why: opens },
  { path: '/repos/*/*/codespaces/**', why: opens },
  { path: '/repos/*/*/actions/secrets/**', why: secret },
  { path: '/repos/*/*/actions/organization-secrets/**', why: secret },
  { path: '/repos/*/*/dependabot/secrets/**', why: secret },
  { path: '/repos/*/*/environments/*/secrets/**', why: secret },
  { path: '/repos/*/*/secret-scanning/**', why: secret },
  { path: '/repos/*/*/hooks/**', why: sends },
  { path: '/repos/*/*/import/**', why: sends },
  { path: '/repos/*/*/collaborators/**', methods: changes, why: people },
  { path: '/repos/*/*/invitations/**', why: people },
  { path: '/repos/*/*/actions/runs/*/approve', why: gates },
  { path: '/repos/*/*/actions/runs/*/pending_deployments', methods: changes, why: gates },
  { path: '/repos/*/*/actions/runs/*/deployment_protection_rule', why: gates },
  { path: '/repos/*/*/branches/*/protection/**', methods: changes, why: gates },
  { path: '/repos/*/*/rulesets/**', methods: changes, why: gates },
  { path: '/repos/*/*/environments/**', methods: changes, why: gates },
  { path: '/repos/*/*', methods: changes, why: exposes },
  { path: '/repos/*/*/transfer', why: exposes },
  { path: '/repos/*/*/generate', why: exposes },
  { path: '/repos/*/*/security-advisories/**', methods: changes, why: people },
  { path: '/repos/*/*/pages/**', methods: changes, why: exposes },
  { path: '/repositories/**', anonymous: true, why: 'identifies a repository by its number, which does not show which one it is' },
  // Reachable only if a whole host was named.
  { path: '/user/keys/**', why: opens },
  { path: '/user/gpg_keys/**', why: opens },
  { path: '/user/ssh_signing_keys/**', why: opens },
  { path: '/user/codespaces/**', why: opens },
  { path: '/user/emails/**', methods: changes, why: opens },
  { path: '/user/email/**', methods: changes, why: opens },
  { path: '/authorizations/**', why: opens },
  { path: '/applications/**', why: opens },
  { path: '/app/**', why: opens },
  { path: '/app-manifests/**', why: opens },
  { path: '/installation/**', why: opens },
  { path: '/user/repository_invitations/**', methods: changes, why: people },
  { path: '/user/memberships/**', methods: changes, why: people },
  { path: '/orgs/*/actions/runners/**', why: opens },
  { path: '/orgs/*/actions/oidc/**', why: opens },
  { path: '/orgs/*/actions/permissions/**', methods: changes, why: opens },
  { path: '/orgs/*/personal-access-token*/**', why: opens },
  { path: '/orgs/*/credential-authorizations/**', why: opens },
  { path: '/orgs/*/actions/secrets/**', why: secret },
  { path: '/orgs/*/dependabot/secrets/**', why: secret },
  { path: '/orgs/*/codespaces/**', why: secret },
  { path: '/orgs/*/secret-scanning/**', why: secret },
  { path: '/orgs/*/hooks/**', why: sends },
  { path: '/orgs/*/members/**', methods: changes, why: people },
  { path: '/orgs/*/memberships/**', methods: changes, why: people },
  { path: '/orgs/*/invitations/**', methods: changes, why: people },
  { path: '/orgs/*/outside_collaborators/**', methods: changes, why: people },
  { path: '/orgs/*/teams/**', methods: changes, why: people },
  { path: '/teams/**', methods: changes, why: people },
  { path: '/organizations/**', methods: changes, why: people },
  { path: '/enterprises/**', why: opens },
  { path: '/scim/**', why: people },
  { path: '/admin/**', why: opens },
]

/** Requests of GitLab's REST API, under `https://HOST/api/v4` (reference, version 17). A project is one segment with escaped slashes. */
const gitlab: readonly Never[] = [
  // The answer to the owner contains the token with which runners register.
  { path: '/projects/*', methods: ['GET', 'HEAD'], anonymous: true, why: opens },
  { path: '/projects/*', methods: changes, why: exposes },
  // The answer about a fork contains the registration token too.
  { path: '/projects/*/fork/**', why: opens },
  { path: '/projects/*/access_tokens/**', why: opens },
  { path: '/projects/*/deploy_tokens/**', why: opens },
  { path: '/projects/*/deploy_keys/**', why: opens },
  { path: '/projects/*/runners/**', why: opens },
  { path: '/projects/*/triggers/**', why: opens },
  { path: '/projects/*/trigger/**', why: opens },
  { path: '/projects/*/cluster_agents/**', why: opens },
  { path: '/projects/*/clusters/**', why: opens },
  { path: '/projects/*/job_token_scope/**', why: opens },
  { path: '/projects/*/variables/**', why: secret },
  { path: '/projects/*/secure_files/**', why: secret },
  { path: '/projects/*/terraform/**', why: secret },
  { path: '/projects/*/pipelines/*/variables', why: secret },
  { path: '/projects/*/pipeline_schedules/**', why: secret },
  { path: '/projects/*/export/**', why: sends },
  { path: '/projects/*/hooks/**', why: sends },
  { path: '/projects/*/integrations/**', why: sends },
  { path: '/projects/*/services/**', why: sends },
  { path: '/projects/*/remote_mirrors/**', why: sends },
  { path: '/projects/*/mirror/**', why: sends },
  { path: '/projects/*/error_tracking/**', why: opens },
  { path: '/projects/*/members/**', methods: changes, why: people },
  { path: '/projects/*/invitations/**', methods: changes, why: people },
  { path: '/projects/*/access_requests/**', methods: changes, why: people },
  { path: '/projects/*/share/**', why: people },
  { path: '/projects/*/deployments/*/approval', why: gates },
  { path: '/projects/*/protected_*/**', methods: changes, why: gates },
  { path: '/projects/*/approval*/**', methods: changes, why: gates },
  { path: '/projects/*/push_rule', methods: changes, why: gates },
  { path: '/projects/*/transfer', why: exposes },
  { path: '/projects/*/archive', why: exposes },
  { path: '/projects/*/pages/**', methods: changes, why: exposes },
  // Reachable only if a whole host was named.
  { path: '/user/**', methods: changes, why: opens },
  { path: '/users/**', methods: changes, why: opens },
  { path: '/personal_access_tokens/**', why: opens },
  { path: '/runners/**', why: opens },
  { path: '/keys/**', why: opens },
  { path: '/deploy_tokens/**', why: opens },
  { path: '/deploy_keys/**', why: opens },
  { path: '/applications/**', why: opens },
  { path: '/application/**', why: opens },
  { path: '/admin/**', why: opens },
  { path: '/hooks/**', why: sends },
  { path: '/groups/*', methods: ['GET', 'HEAD'], anonymous: true, why: opens },
  { path: '/groups/*', methods: changes, why: exposes },
  { path: '/groups/*/access_tokens/**', why: opens },
  { path: '/groups/*/deploy_tokens/**', why: opens },
  { path: '/groups/*/ssh_certificates/**', why: opens },
  { path: '/groups/*/service_accounts/**', why: opens },
  { path: '/groups/*/runners/**', why: opens },
  { path: '/groups/*/variables/**', why: secret },
  { path: '/groups/*/hooks/**', why: sends },
  { path: '/groups/*/integrations/**', why: sends },
  { path: '/groups/*/members/**', methods: changes, why: people },
  { path: '/groups/*/invitations/**', methods: changes, why: people },
  { path: '/groups/*/share/**', why: people },
  { path: '/groups/*/saml*/**', why: people },
  { path: '/groups/*/ldap*/**', why: people },
]

export const neverUsedFor: Readonly<Record<'github' | 'gitlab', readonly Never[]>> = { github, gitlab }
