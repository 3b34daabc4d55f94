import { spelt } from '../forge/spelt.ts'
import type { HttpRule, RuleAction } from '../policy/egress-policy.ts'

type Line = readonly [methods: string, path: string, query?: Readonly<Record<string, string>>]

/** A ready-made set of forbidden paths. They apply to every host, because forges and registries are also self-hosted. */
interface RuleSet {
  readonly about: string
  readonly rules: readonly Line[]
}

/** Rules for GraphQL. All of its changes are POST requests to the same path, so they can only be judged as a whole. */
const graphql: readonly Line[] = [['POST,PUT,PATCH', '/**/graphql']]

/** Returns the lines for a repository, by owner and name and by its number (GitHub's `/repositories/ID`). */
const repository = (methods: string, rest: string): readonly Line[] =>
  ['/**/repos/*/*', '/**/repositories/*'].map((path) => [methods, path + rest])

/** Requests that start a pipeline. The jobs of a pipeline have the secrets of the repository, and can push with them. */
const continuousIntegration: readonly Line[] = [
  ...repository('POST', '/dispatches'),
  ...repository('POST', '/deployments'),
  ...repository('POST', '/actions/workflows/**/dispatches'),
  ...repository('POST', '/actions/runs/*/rerun*'),
  ...repository('POST', '/actions/jobs/*/rerun'),
  ['POST', '/**/api/v4/projects/*/pipeline'],
  ['POST', '/**/api/v4/projects/*/**/trigger/pipeline'],
  ['POST', '/**/api/v4/projects/*/pipelines/*/retry'],
  ['POST', '/**/api/v4/projects/*/jobs/*/play'],
  ['POST', '/**/api/v4/projects/*/jobs/*/retry'],
  ['POST,PUT', '/**/api/v4/projects/*/pipeline_schedules/**'],
  ['POST', '/**/repositories/*/*/pipelines'],
]

/** The ready-made sets, by name. They are kept simple: each line is one action that cannot be undone. */
export const ruleSets: Readonly<Record<string, RuleSet>> = {
  'git-push': {
    about: 'pushing commits (git over HTTP, LFS, the content and merge APIs of forges) and starting CI, which runs with its secrets',
    rules: [
      ['', '/**/info/refs', { service: 'git-receive-pack' }],
      ['', '/**/git-receive-pack'],
      ['POST', '/**/info/lfs/objects/batch'],
      ['PUT,POST', '/**/info/lfs/**'],
      ['PUT', '/**/gitlab-lfs/**'],
      // Pushing to a plain web server uses WebDAV.
      ['MKCOL,MOVE,COPY,LOCK,UNLOCK,PROPPATCH', '/**'],
      ...repository('PUT,POST,PATCH,DELETE', '/contents/**'),
      ...repository('PUT,POST,PATCH,DELETE', '/git/**'),
      ...repository('PUT,POST,PATCH,DELETE', '/branches/**'),
      ...repository('POST', '/merges'),
      ...repository('POST', '/merge-upstream'),
      ...repository('PUT,POST', '/pulls/*/merge'),
      ...repository('PUT,POST', '/pulls/*/update-branch'),
      // Gitea and Forgejo: updating the branch of a pull request, a patch that becomes a commit, mirrors.
      ...repository('PUT,POST', '/pulls/*/update'),
      ...repository('PUT,POST', '/diffpatch'),
      ...repository('PUT,POST', '/push_mirrors/**'),
      ...repository('PUT,POST', '/mirror-sync'),
      ['PUT,POST,PATCH,DELETE', '/**/api/v4/projects/*/repository/**'],
      ['PUT,POST', '/**/api/v4/projects/*/merge_requests/*/merge'],
      ['PUT,POST', '/**/api/v4/projects/*/merge_requests/*/rebase'],
      ['PUT,POST', '/**/api/v4/projects/*/merge_trains/merge_requests/*'],
      ['POST', '/**/repositories/*/*/src'],
      ['POST', '/**/repositories/*/*/pullrequests/*/merge'],
      ...continuousIntegration,
      ...graphql,
    ],
  },
  publish: {
    about: 'publishing and removing packages and images',
    rules: [
      // npm: a document for each package, its tags, its revisions, and its owners. Installing and auditing only read.
      ['PUT', '/*'],
      ['PUT,DELETE', '/@*/*'],
      ['PUT,DELETE', '/**/-rev/**'],
      ['PUT,POST,DELETE', '/**/-/package/**'],
      ['PUT', '/**/npm/**'],
      // PyPI: one upload form, even if the index is under a path.
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
    about: 'creating, changing and deleting releases and their tags',
    rules: [
      ...repository('POST,PUT,PATCH,DELETE', '/releases/**'),
      ...repository('POST,PUT,PATCH,DELETE', '/git/tags/**'),
      ...repository('POST,PUT,PATCH,DELETE', '/git/refs/**'),
      ...repository('POST,PUT,PATCH,DELETE', '/tags/**'),
      ['POST,PUT,PATCH,DELETE', '/**/api/v4/projects/*/releases/**'],
      ['POST,PUT,PATCH,DELETE', '/**/api/v4/projects/*/repository/tags/**'],
      ['POST,PUT,PATCH,DELETE', '/**/repositories/*/*/refs/tags/**'],
      ['POST,PUT,PATCH,DELETE', '/**/repositories/*/*/downloads/**'],
      ...graphql,
    ],
  },
  delete: {
    about: 'deleting, archiving, renaming and transferring on forges',
    rules: [
      ['DELETE', '/**'],
      ...repository('POST,PUT', '/transfer'),
      ['POST,PUT', '/**/api/v4/projects/*/transfer'],
      ['POST,PUT', '/**/api/v4/projects/*/archive'],
      ...repository('PATCH,PUT', ''),
      ['PUT', '/**/api/v4/projects/*'],
      ...graphql,
    ],
  },
}

/** Returns the rules of a set in the form of a policy. Each path has all spellings that forges accept. */
export function rulesOfSet(name: string, action: RuleAction): readonly HttpRule[] {
  return (ruleSets[name]?.rules ?? []).flatMap(([methods, path, query]) =>
    spelt(path).map((each) => ({
      action,
      methods: methods === '' ? [] : methods.split(','),
      path: each,
      ...(query === undefined ? {} : { query }),
      source: name,
    })),
  )
}

/** Forges to which a set applies if they are allowed, in addition to inspected hosts. */
const forges = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org', 'gitea.com', 'git.sr.ht']

/** Returns true for a host pattern that is a known forge or one of its API and upload hosts. */
export function isForge(pattern: string): boolean {
  const name = pattern.replace(/^\*\./, '')
  return forges.some((forge) => name === forge || name.endsWith(`.${forge}`))
}
