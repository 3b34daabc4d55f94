/** The API that a host offers besides git. `git`: no known API. */
export type ForgeKind = 'github' | 'github-enterprise' | 'gitlab' | 'git'

/** @param knownToGh hosts where gh is logged in. gh supports only GitHub. */
export function forgeKind(host: string, knownToGh: readonly string[]): ForgeKind {
  if (host === 'github.com') return 'github'
  if (host === 'gitlab.com' || host.startsWith('gitlab.')) return 'gitlab'
  return knownToGh.includes(host) ? 'github-enterprise' : 'git'
}

/** Returns the user name for a token in Basic authentication. GitHub accepts any name; GitLab requires this one for OAuth tokens. */
export function basicUser(kind: ForgeKind): string {
  return kind === 'gitlab' ? 'oauth2' : 'x-access-token'
}

/**
 * The variables from which a forge's own programs read a token, in order of precedence, according to `gh help environment` and the manual
 * of glab.
 */
export const tokenVariables: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ['GH_TOKEN', 'GITHUB_TOKEN'],
  'github-enterprise': ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
  gitlab: ['GITLAB_TOKEN'],
  git: [],
}
