/** What a host speaks besides git. `git`: nothing that is known here. */
export type ForgeKind = 'github' | 'github-enterprise' | 'gitlab' | 'git'

/** @param knownToGh hosts that gh is logged in at. gh supports only GitHub. */
export function forgeKind(host: string, knownToGh: readonly string[]): ForgeKind {
  if (host === 'github.com') return 'github'
  if (host === 'gitlab.com' || host.startsWith('gitlab.')) return 'gitlab'
  return knownToGh.includes(host) ? 'github-enterprise' : 'git'
}

/** The user that goes with a token in Basic authentication: any will do at GitHub, GitLab wants this one for tokens of OAuth. */
export function basicUser(kind: ForgeKind): string {
  return kind === 'gitlab' ? 'oauth2' : 'x-access-token'
}

/**
 * The variables that a forge's own programs read a token from, the one that counts first, after `gh help environment` and the manual of
 * glab.
 */
export const tokenVariables: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ['GH_TOKEN', 'GITHUB_TOKEN'],
  'github-enterprise': ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
  gitlab: ['GITLAB_TOKEN'],
  git: [],
}
