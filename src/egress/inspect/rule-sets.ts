import type { HttpRule, RuleAction } from '../policy.ts'

/** What a ready-made set forbids: paths on whatever host it is applied to, because forges and registries are self-hosted too. */
interface RuleSet {
  readonly about: string
  readonly rules: readonly (readonly [methods: string, path: string, query?: Readonly<Record<string, string>>])[]
}

/** Every change through GraphQL is one POST to one path, so it can only be judged as a whole. */
const graphql: readonly (readonly [string, string])[] = [['POST,PUT,PATCH', '/**/graphql']]

/** The ready-made sets, by name. Read, not clever: each line is one thing that cannot be taken back. */
export const ruleSets: Readonly<Record<string, RuleSet>> = {
  'git-push': {
    about: 'pushing commits: by git over HTTP, by LFS, and by the content and merge APIs of forges',
    rules: [
      ['', '/**/info/refs', { service: 'git-receive-pack' }],
      ['', '/**/git-receive-pack'],
      ['POST', '/**/info/lfs/objects/batch'],
      ['PUT,POST', '/**/info/lfs/**'],
      ['PUT', '/**/gitlab-lfs/**'],
      // Pushing to a plain web server goes by WebDAV.
      ['MKCOL,MOVE,COPY,LOCK,UNLOCK,PROPPATCH', '/**'],
      ['PUT,POST,PATCH,DELETE', '/**/repos/*/*/contents/**'],
      ['PUT,POST,PATCH,DELETE', '/**/repos/*/*/git/**'],
      ['PUT,POST,PATCH,DELETE', '/**/repos/*/*/branches/**'],
      ['POST', '/**/repos/*/*/merges'],
      ['POST', '/**/repos/*/*/merge-upstream'],
      ['PUT,POST', '/**/repos/*/*/pulls/*/merge'],
      ['PUT,POST,PATCH,DELETE', '/**/api/v4/projects/*/repository/**'],
      ['PUT', '/**/api/v4/projects/*/merge_requests/*/merge'],
      ['POST', '/**/repositories/*/*/src'],
      ['POST', '/**/repositories/*/*/pullrequests/*/merge'],
      ...graphql,
    ],
  },
  publish: {
    about: 'putting a package or an image where others install it from, and taking one away',
    rules: [
      // npm: a document for each package, its tags, its revisions, who may publish. Installing and auditing only read.
      ['PUT', '/*'],
      ['PUT,DELETE', '/@*/*'],
      ['PUT,DELETE', '/**/-rev/**'],
      ['PUT,POST,DELETE', '/**/-/package/**'],
      ['PUT', '/**/npm/**'],
      // PyPI: one upload form, also where an index lives below a path.
      ['POST', '/**/legacy'],
      ['POST', '/**/pypi'],
      ['POST,PUT', '/**/simple'],
      ['POST', '/**/api/v4/projects/*/packages/pypi'],
      // crates
      ['PUT', '/**/api/v1/crates/new'],
      ['PUT,DELETE', '/**/api/v1/crates/*/**'],
      // gems
      ['POST', '/**/api/v1/gems'],
      ['DELETE', '/**/api/v1/gems/yank'],
      // containers (OCI distribution): blobs and manifests
      ['PUT,POST,PATCH,DELETE', '/v2/**'],
      // Maven, NuGet, generic registries of forges
      ['PUT,DELETE', '/**/maven*/**'],
      ['PUT,DELETE', '/**/api/v2/package/**'],
      ['PUT,POST,DELETE', '/**/api/packages/**'],
      ['PUT,POST,DELETE', '/**/api/v4/projects/*/packages/**'],
    ],
  },
  release: {
    about: 'releases and the tags behind them',
    rules: [
      ['POST,PUT,PATCH,DELETE', '/**/repos/*/*/releases/**'],
      ['POST,PUT,PATCH,DELETE', '/**/repos/*/*/git/tags/**'],
      ['POST,PUT,PATCH,DELETE', '/**/repos/*/*/git/refs/**'],
      ['POST,PUT,PATCH,DELETE', '/**/repos/*/*/tags/**'],
      ['POST,PUT,PATCH,DELETE', '/**/api/v4/projects/*/releases/**'],
      ['POST,PUT,PATCH,DELETE', '/**/api/v4/projects/*/repository/tags/**'],
      ['POST,PUT,PATCH,DELETE', '/**/repositories/*/*/refs/tags/**'],
      ['POST,PUT,PATCH,DELETE', '/**/repositories/*/*/downloads/**'],
      ...graphql,
    ],
  },
  delete: {
    about: 'deleting, moving away and giving away on forges',
    rules: [
      ['DELETE', '/**'],
      ['POST,PUT', '/**/repos/*/*/transfer'],
      ['POST,PUT', '/**/api/v4/projects/*/transfer'],
      ['POST,PUT', '/**/api/v4/projects/*/archive'],
      ['PATCH,PUT', '/**/repos/*/*'],
      ['PUT', '/**/api/v4/projects/*'],
      ...graphql,
    ],
  },
}

/** The rules of a set as a policy holds them. */
export function rulesOfSet(name: string, action: RuleAction): readonly HttpRule[] {
  return (ruleSets[name]?.rules ?? []).map(([methods, path, query]) => ({
    action,
    methods: methods === '' ? [] : methods.split(','),
    path,
    ...(query === undefined ? {} : { query }),
    source: name,
  }))
}

/** Forges that a set is applied to when they are allowed, besides the hosts that are inspected anyway. */
const forges = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org', 'gitea.com', 'git.sr.ht']

/** True for a host pattern that is a known forge or belongs to one: its API and its upload hosts. */
export function isForge(pattern: string): boolean {
  const name = pattern.replace(/^\*\./, '')
  return forges.some((forge) => name === forge || name.endsWith(`.${forge}`))
}
