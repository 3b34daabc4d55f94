import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Forge, forgeOf } from '../../../src/egress/forge/forge.ts'
import { withForges } from '../../../src/egress/forge/forge-entries.ts'
import type { ForgeKind } from '../../../src/egress/forge/kind.ts'
import { namedLinks } from '../../../src/egress/forge/named-links.ts'
import { neverUsedFor } from '../../../src/egress/forge/never.ts'
import { parseRepository } from '../../../src/egress/forge/repository.ts'
import { reachOf } from '../../../src/egress/placeholder/reach.ts'
import { withInspection } from '../../../src/egress/requests/inspected-entries.ts'
import { canonicalTarget } from '../../../src/egress/requests/path.ts'
import { judgeOf } from '../../../src/egress/requests/request-rules.ts'
import { parseRule, parseRuleSet } from '../../../src/egress/requests/rule-text.ts'

const forge = (kind: ForgeKind, ...texts: string[]): Forge => {
  const wishes = texts.map((each) => parseRepository(each))
  return forgeOf(wishes[0]?.host ?? '', kind, wishes)
}

/** Returns whether `METHOD HOST/PATH` gets the token, and the decision of the rules. */
function asked({ uses, hosts }: Forge, text: string, headers: readonly (readonly [string, string])[] = []): string {
  const [, method = '', host = '', target = ''] = /^(\S+) ([^/]+)(\/.*)$/s.exec(text) ?? []
  const canonical = canonicalTarget(target)
  if (canonical === null) return 'malformed'
  const request = { method, target: canonical.path + canonical.query, headers }
  const token = uses.some((each) => each.host === host && reachOf(each)(request, canonical.path))
  const rules = hosts.find((each) => each.host === host)?.rules
  const verdict =
    rules === undefined ? 'not reached' : judgeOf({ rules, otherwise: 'deny' })({ methods: [method], target: canonical }).action
  return `${token ? 'token' : 'without'}, ${verdict}`
}
const table = (found: Forge, rows: Readonly<Record<string, string>>): void => {
  expect(Object.fromEntries(Object.keys(rows).map((each) => [each, asked(found, each)]))).toEqual(rows)
}

test('a repository of github.com for reading', () => {
  table(forge('github', 'github.com/me/it'), {
    'GET github.com/me/it.git/info/refs?service=git-upload-pack': 'token, allow',
    'GET github.com/me/it/info/refs?service=git-upload-pack': 'token, allow',
    'POST github.com/me/it.git/git-upload-pack': 'token, allow',
    'GET github.com/me/it.git/info/refs?service=git-receive-pack': 'without, deny',
    'GET github.com/me/it.git/info/refs?service=git-upload-pack&service=git-receive-pack': 'without, deny',
    'GET github.com/me/it.git/info/refs': 'without, allow',
    'POST github.com/me/it.git/git-receive-pack': 'without, deny',
    'POST github.com/me/it.git/info/lfs/objects/batch': 'without, allow',
    'PUT github.com/me/it.git/info/lfs/locks': 'without, deny',
    'GET github.com/me/it/settings': 'without, allow',
    'GET github.com/me/itx.git/info/refs?service=git-upload-pack': 'without, allow',
    'GET github.com/Me/it.git/info/refs?service=git-upload-pack': 'without, allow',
    'GET github.com/me/it.git/x/info/refs?service=git-upload-pack': 'without, allow',
    'GET github.com/x/me/it.git/info/refs?service=git-upload-pack': 'without, allow',
    'GET github.com/me/it.git%2finfo/refs?service=git-upload-pack': 'without, allow',
    'GET github.com/other/it/../../me/it/info/refs?service=git-upload-pack': 'token, allow',
    'GET api.github.com/repos/me/it': 'token, allow',
    'HEAD api.github.com/repos/me/it/pulls?state=open': 'token, allow',
    'GET api.github.com/repos/me/it/contents/a%2Fb': 'token, allow',
    'GET api.github.com/repos/me/it/../other': 'without, allow',
    'GET api.github.com/repos/me/it%2f..%2fother': 'without, allow',
    'GET api.github.com/repos/me/other': 'without, allow',
    'GET api.github.com/': 'token, allow',
    'GET api.github.com/user': 'token, allow',
    'GET api.github.com/user/repos': 'without, allow',
    'GET api.github.com/user/emails': 'without, allow',
    'POST api.github.com/repos/me/it/issues': 'without, deny',
    'POST api.github.com/graphql': 'without, deny',
    'GET api.github.com/repos/me/it/secret-scanning/alerts': 'without, deny',
    'GET api.github.com/repos/me/it/hooks': 'without, deny',
    'GET api.github.com/repos/me/it/traffic/views': 'without, deny',
    'GET api.github.com/repos/me/it/environments': 'without, deny',
    'GET api.github.com/repos/me/it/collaborators': 'without, deny',
    'GET api.github.com/repos/me/it/topics': 'without, deny',
    'GET api.github.com/repos/me/it/forks': 'without, deny',
    'GET api.github.com/repos/me/it/statuses/1a2b': 'token, allow',
    'GET api.github.com/repos/me/it/issues/1/comments': 'token, allow',
    'GET api.github.com/repos/me/it/issues/comments/1/reactions': 'token, allow',
    'GET api.github.com/repos/me/it/issues/1/timeline': 'without, deny',
    'GET api.github.com/repos/me/it/issues/1/sub_issues': 'without, deny',
    'GET api.github.com/repos/me/it/actions/runs/1/logs': 'token, allow',
    'GET api.github.com/repos/me/it/actions/variables': 'without, deny',
    'GET api.github.com/repos/me/it/Pulls': 'without, deny',
    'GET api.github.com/repos/ME/it/pulls': 'without, deny',
    'GET api.github.com/repos/me/it//pulls': 'token, allow',
    'GET api.github.com/repos/me/it/pulls/../traffic/views': 'without, deny',
    'GET api.github.com/repos/me/it/pulls/%2e%2e/traffic/views': 'without, deny',
    'GET api.github.com/repos/me/it/pulls%2f..%2ftraffic': 'without, deny',
    'GET api.github.com/repos/me/it/pulls/1%2f..%2f..%2ftraffic': 'without, deny',
    'GET api.github.com/repos/me/it/pulls;x/1': 'without, deny',
    'GET api.github.com/api/v3/repos/me/it/pulls': 'without, allow',
    'GET api.github.com/repositories/12/pulls': 'without, allow',
    'POST uploads.github.com/repos/me/it/releases/1/assets': 'without, not reached',
  })
})

test('a repository of github.com for writing asks, and is still no way to further credentials', () => {
  table(forge('github', 'github.com/me/it=write', 'github.com/me/seen'), {
    'GET github.com/me/it.git/info/refs?service=git-upload-pack': 'token, allow',
    'GET github.com/me/it.git/info/refs?service=git-receive-pack': 'token, allow',
    'POST github.com/me/it.git/git-receive-pack': 'token, ask',
    'POST github.com/me/it/git-receive-pack': 'token, ask',
    'POST github.com/me/it.git/info/lfs/objects/batch': 'token, ask',
    'POST github.com/me/seen.git/git-upload-pack': 'token, allow',
    'POST github.com/me/seen.git/git-receive-pack': 'without, deny',
    'GET github.com/me/seen.git/info/refs?service=git-receive-pack': 'without, deny',
    'POST github.com/someone/else.git/git-receive-pack': 'without, deny',
    'POST api.github.com/repos/me/it/issues': 'token, ask',
    'DELETE api.github.com/repos/me/it/git/refs/heads/x': 'token, ask',
    'POST uploads.github.com/repos/me/it/releases/1/assets': 'token, ask',
    'POST uploads.github.com/repos/me/seen/releases/1/assets': 'without, deny',
    'PUT api.github.com/repos/me/it/contents/a.txt': 'token, ask',
    'POST api.github.com/repos/me/it/actions/workflows/ci.yml/dispatches': 'token, ask',
    'POST api.github.com/repos/me/it/actions/runs/1/rerun': 'token, ask',
    'DELETE api.github.com/repos/me/it/actions/caches/1': 'token, ask',
    'POST api.github.com/repos/me/it/issues/1/comments': 'token, ask',
    'DELETE api.github.com/repos/me/it/issues/1/labels/bug': 'token, ask',
    'POST api.github.com/repos/me/it/issues/1/sub_issues': 'without, deny',
    'POST api.github.com/repos/me/it/statuses/1a2b': 'without, deny',
    'POST api.github.com/repos/me/it/forks': 'without, deny',
    'PUT api.github.com/repos/me/it/topics': 'without, deny',
    'POST api.github.com/repos/me/it/dispatches': 'without, deny',
    'POST api.github.com/repos/me/it/pulls/1/codespaces': 'without, deny',
    'POST api.github.com/repos/me/it/pulls/1%2fcodespaces': 'without, deny',
    'POST api.github.com/repos/me/it/issues/1/..%2f..%2fforks': 'without, deny',
    'PATCH api.github.com/repos/me/it': 'without, deny',
    'DELETE api.github.com/repos/me/it': 'without, deny',
    'POST api.github.com/repos/me/it/keys': 'without, deny',
    'POST api.github.com/repos/me/it/KEYS': 'without, deny',
    'POST api.github.com/repos/me/it/keys/': 'without, deny',
    'POST api.github.com/repos/me/it/ke%2579s': 'without, deny',
    'POST api.github.com/repos/me/it/keys;x': 'without, deny',
    'PUT api.github.com/repos/me/it/actions/secrets/A': 'without, deny',
    'PUT api.github.com/repos/me/it/environments/prod/secrets/A': 'without, deny',
    'POST api.github.com/repos/me/it/hooks': 'without, deny',
    'POST api.github.com/repos/me/it/actions/runners/registration-token': 'without, deny',
    'PUT api.github.com/repos/me/it/collaborators/mallory': 'without, deny',
    'POST api.github.com/repos/me/it/actions/runs/1/approve': 'without, deny',
    'POST api.github.com/repos/me/seen/issues': 'without, deny',
    'POST api.github.com/graphql': 'without, deny',
    'POST api.github.com/gists': 'without, deny',
    'POST api.github.com/user/keys': 'without, deny',
  })
})

test('all of an owner, and a whole host', () => {
  table(forge('github', 'github.com/me/*'), {
    'POST github.com/me/any.git/git-upload-pack': 'token, allow',
    'POST github.com/you/any.git/git-upload-pack': 'without, allow',
    'GET api.github.com/repos/me/any/pulls': 'token, allow',
    'GET api.github.com/repos/you/any/pulls': 'without, allow',
  })
  table(forge('github', 'github.com'), {
    'POST github.com/you/any.git/git-upload-pack': 'token, allow',
    'GET github.com/settings/tokens': 'without, allow',
    'GET api.github.com/user/repos': 'token, allow',
    'GET api.github.com/user/keys': 'without, deny',
    'POST api.github.com/graphql': 'without, deny',
  })
  table(forge('github', 'github.com=write'), {
    'POST github.com/you/any.git/git-receive-pack': 'token, ask',
    'POST api.github.com/graphql': 'token, ask',
    'POST api.github.com/gists': 'token, ask',
    'POST api.github.com/user/keys': 'without, deny',
    'POST api.github.com/orgs/o/hooks': 'without, deny',
    'POST uploads.github.com/repos/a/b/releases/1/assets': 'token, ask',
  })
})

test('GitHub Enterprise Server and GitLab have their API at the same host', () => {
  table(forge('github-enterprise', 'ghe.example/me/it=write'), {
    'GET ghe.example/api/v3/': 'token, allow',
    'GET ghe.example/api/v3/user': 'token, allow',
    'GET ghe.example/api/v3/repos/me/it/pulls': 'token, allow',
    'POST ghe.example/api/v3/repos/me/it/pulls': 'token, ask',
    'POST ghe.example/api/v3/repos/me/it/keys': 'without, deny',
    'POST ghe.example/api/uploads/repos/me/it/releases/1/assets': 'token, ask',
    'POST ghe.example/api/graphql': 'without, deny',
    'POST ghe.example/session': 'without, deny',
  })
  table(forge('gitlab', 'gitlab.example/group/sub/it=write'), {
    'POST gitlab.example/group/sub/it.git/git-upload-pack': 'token, allow',
    'POST gitlab.example/group/sub/it.git/git-receive-pack': 'token, ask',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/merge_requests': 'token, allow',
    'GET gitlab.example/api/v4/projects/group%2fsub%2fit/issues': 'token, allow',
    'POST gitlab.example/api/v4/projects/group%2Fsub%2Fit/merge_requests': 'token, ask',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fother/merge_requests': 'without, allow',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit%2Fx/merge_requests': 'without, deny',
    'GET gitlab.example/api/v4/projects/group%252Fsub%252Fit/merge_requests': 'without, allow',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit': 'token, allow',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/repository/files/src%2Fa.ts/raw?ref=main': 'token, allow',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/repository/files/..%2F..%2Fvariables': 'without, deny',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/pipelines/1': 'token, allow',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/pipelines/1/variables': 'without, deny',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/issues/1%2F..%2F..': 'without, deny',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/environments': 'without, deny',
    'POST gitlab.example/api/v4/projects/group%2Fsub%2Fit/issues/1/move': 'without, deny',
    'POST gitlab.example/api/v4/projects/group%2Fsub%2Fit/jobs/1/play': 'without, deny',
    'POST gitlab.example/api/v4/projects/group%2Fsub%2Fit/fork': 'without, deny',
    'GET gitlab.example/api/v4/projects/12/issues': 'without, allow',
    'POST gitlab.example/api/v4/projects/12/issues': 'without, deny',
    'PUT gitlab.example/api/v4/projects/group%2Fsub%2Fit': 'without, deny',
    'GET gitlab.example/api/v4/projects/group%2Fsub%2Fit/variables': 'without, deny',
    'POST gitlab.example/api/v4/projects/group%2Fsub%2Fit/access_tokens': 'without, deny',
    'POST gitlab.example/api/v4/projects/group%2Fsub%2Fit/protected_branches': 'without, deny',
    'POST gitlab.example/api/v4/runners': 'without, deny',
  })
  table(forge('git', 'git.example/~me/it'), {
    'POST git.example/~me/it/git-upload-pack': 'token, allow',
    'GET git.example/api/v1/repos/me/it': 'without, allow',
  })
})

test('a field that stands for another method takes the token away from what is for reading', () => {
  const found = forge('github', 'github.com/me/it')
  const target = 'GET api.github.com/repos/me/it/issues'
  expect(asked(found, target, [['X-HTTP-Method-Override', 'GET']])).toBe('token, allow')
  for (const [name, value] of [
    ['X-HTTP-Method-Override', 'DELETE'],
    ['x_http_method', 'post'],
    ['X-Method-Override', 'GET, DELETE'],
  ] as const)
    expect(asked(found, target, [[name, value]])).toBe('without, allow')
  expect(asked(found, `${target}?_method=DELETE`)).toBe('without, allow')
})

test('the token goes only to the named repository, for any path', () => {
  const found = forge('github', 'github.com/me/it')
  const part = fc.constantFrom(
    'me',
    'it',
    'it.git',
    'other',
    'info',
    'refs',
    'git-upload-pack',
    '..',
    '.',
    '',
    '%2e%2e',
    '%2F',
    '%252F',
    ';',
    '\\',
    'repos',
    'keys',
    'pulls',
    'actions',
    'runs',
    'secrets',
    'traffic',
  )
  const tail = fc
    .array(fc.tuple(part, fc.constantFrom('/', '%2f', '', ';', '//')), { maxLength: 5 })
    .map((parts) => parts.map((each) => each.join('')).join(''))
  const head = fc.constantFrom(
    '/',
    '/me/it/',
    '/me/it.git/',
    '/repos/me/it/',
    '/repos/me/it/pulls/',
    '/repos/me/it',
    '/me/it.git/info/refs',
  )
  const joined = fc.tuple(head, tail).map((each) => each.join(''))
  fc.assert(
    fc.property(
      joined,
      fc.constantFrom('GET', 'POST', 'PUT'),
      fc.constantFrom('', '?service=git-upload-pack', '?service=git-receive-pack'),
      (target, method, query) => {
        for (const [host, own] of [
          ['github.com', /^\/me\/it(?:\.git)?\/(?:info\/refs\?service=git-upload-pack|git-upload-pack(?:\?.*)?)$/],
          ['api.github.com', /^\/(?:(?:user|meta|rate_limit)?(?:\?.*)?$|repos\/me\/it(?:\/(?:pulls|actions\/runs)(?:\/.*)?)?(?:\?.*)?$)/],
        ] as const) {
          if (!asked(found, `${method} ${host}${target}${query}`).startsWith('token')) continue
          const canonical = canonicalTarget(target + query)
          expect(`${canonical?.path}${canonical?.query}`).toMatch(own)
          if (host.startsWith('api')) expect(method).toBe('GET')
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

/** Returns the hint with which a request is denied. */
function hint({ hosts }: Forge, text: string): string | undefined {
  const [, method = '', host = '', path = ''] = /^(\S+) ([^/]+)(\/.*)$/.exec(text) ?? []
  const rules = hosts.find((each) => each.host === host)?.rules ?? []
  const verdict = judgeOf({ rules, otherwise: 'deny' })({ methods: [method], target: { path, query: '' } })
  expect(verdict.action).toBe('deny')
  return verdict.rule?.hint
}

test('a denied request names the option that permits it, or what to do instead', () => {
  const read = forge('github', 'github.com/me/it')
  expect(hint(read, 'GET api.github.com/repos/me/it/traffic/views')).toBe('To permit it: --repo github.com')
  expect(hint(read, 'POST api.github.com/repos/me/it/issues')).toBe('To permit it: --repo github.com/me/it=write')
  expect(hint(read, 'PUT api.github.com/repos/me/it/topics')).toBe('To permit it: --repo github.com=write')
  expect(hint(read, 'POST api.github.com/repos/me/other/issues')).toBe('To permit it: --repo github.com=write')
  expect(hint(read, 'POST api.github.com/repos/me/it/keys')).toContain('--repo never permits it, because it creates')
  expect(hint(read, 'POST api.github.com/graphql')).toBe('GraphQL cannot be held to one repository, so use REST: gh api repos/me/it/pulls')
  expect(hint(forge('github', 'github.com/me/*'), 'POST api.github.com/graphql')).toContain('gh api repos/me/NAME/pulls')
  expect(hint(forge('gitlab', 'gitlab.com/a/b/c'), 'POST gitlab.com/api/graphql')).toContain('glab api projects/a%2Fb%2Fc/merge_requests')
  expect(hint(forge('github', 'github.com'), 'POST api.github.com/graphql')).toBe('To permit it: --repo github.com=write')
  // git shows only plain text.
  expect(hint(read, 'POST github.com/me/it.git/git-receive-pack')).toBeUndefined()
})

test('no rule is unreachable for a repository for writing, and no use is without a path', () => {
  const { uses, hosts } = forge('github', 'github.com=write', 'github.com/me/it=write', 'github.com/me/it')
  expect(uses.every(({ paths }) => paths.length > 0)).toBe(true)
  expect(
    forge('github', 'github.com/me/it=write')
      .hosts.flatMap(({ rules }) => rules)
      .filter(({ hint }) => hint?.endsWith('me/it=write')),
  ).toEqual([])
  expect(hosts.map(({ host }) => host)).toEqual(['github.com', 'api.github.com', 'uploads.github.com'])
})

test('what a hint names permits the request', () => {
  for (const [named, request] of [
    ['github.com/me/it', 'GET api.github.com/repos/me/it/traffic/views'],
    ['github.com/me/it', 'POST api.github.com/repos/me/it/labels'],
    ['github.com/me/it=write', 'POST api.github.com/repos/me/it/statuses/1a2b'],
    ['github.com/me/it=write', 'PUT api.github.com/repos/me/it/topics'],
    ['github.com', 'POST api.github.com/graphql'],
  ] as const) {
    const option = /--repo (\S+)$/.exec(hint(forge('github', named), request) ?? '')?.[1] ?? ''
    expect(asked(forge('github', named, option), request), request).toMatch(/^token, (?:allow|ask)$/)
  }
})

test('the description of a repository is read without the credentials in it, by no other spelling', () => {
  const found = forge('gitlab', 'gitlab.com/group/*=write', 'gitlab.com/group/it')
  for (const [path, hidden] of [
    ['group%2Fit', ['runners_token']],
    ['group%2Fany', ['runners_token']],
    ['group%2Fany/', null],
    ['group%2Fa%2Fissues', null],
    ['group%2Fany/issues/..', null],
    ['group%2Fany/issues/1%2F..%2F..', null],
    ['group%2Fany%2Fissues%2F..', null],
    ['group%2Fany;x', ['runners_token']],
  ] as const) {
    const target = canonicalTarget(`/api/v4/projects/${path}`)?.path ?? ''
    const uses = found.uses.filter((each) => reachOf(each)({ method: 'GET', target, headers: [] }, target))
    expect(uses.length === 0 ? null : [...new Set(uses.flatMap((each) => each.hidden))], path).toEqual(hidden)
  }
})

test('links to further pages name the repository as the request did', () => {
  const link = (value: string, path: string) => namedLinks([['Link', value]], path)[0]?.[1]
  const next =
    '<https://api.github.com/repositories/12/pulls?page=2>; rel="next", <https://api.github.com/repositories/12/pulls?page=9>; rel="last"'
  expect(link(next, '/repos/me/it/pulls')).toBe(next.replaceAll('repositories/12', 'repos/me/it'))
  expect(
    link('<https://ghe.example/api/v3/repositories/12/issues/1/comments?page=2>; rel="next"', '/api/v3/repos/me/$1/issues/1/comments'),
  ).toBe('<https://ghe.example/api/v3/repos/me/$1/issues/1/comments?page=2>; rel="next"')
  expect(link(next, '/user/repos')).toBe(next)
  expect(link('</repositories/12>; rel="up"', '/repos/me/it/pulls')).toBe('</repositories/12>; rel="up"')
  expect(namedLinks([['Location', 'https://api.github.com/repositories/12/pulls']], '/repos/me/it/pulls')[0]?.[1]).toContain(
    '/repositories/12/',
  )
})

describe('entries', () => {
  const { hosts } = forge('github', 'github.com/me/it')
  const found = [forge('github', 'github.com/me/it')]
  test('are added if no host has the name, and inspected if one does', () => {
    const mine = { host: 'github.com', ports: [22, 443], internal: false, ask: true, source: 'user' } as const
    const wide = { host: '*.github.com', ports: [443], internal: false, source: 'user' } as const
    const all = withForges([wide, mine], found)
    expect(all.map(({ host, ports, ask, inspect }) => [host, ports, ask, inspect !== undefined])).toEqual([
      ['*.github.com', [443], undefined, false],
      ['github.com', [22, 443], true, true],
      ['api.github.com', [443], undefined, true],
    ])
  })

  test('have the user’s rules and sets before their own', () => {
    const entries = withInspection(withForges([], found), {
      inspect: [],
      rules: [{ ...parseRule('allow POST github.com/x', '--rule'), project: false }],
      ruleSets: [{ ...parseRuleSet('git-push=ask', '--rules'), project: false, place: '--rules' }],
    })
    const rules = entries.find(({ host }) => host === 'github.com')?.inspect?.rules ?? []
    expect(rules[0]).toMatchObject({ action: 'allow', path: '/x', source: 'user' })
    expect(rules[1]?.source).toBe('git-push')
    expect(rules.slice(-(hosts[0]?.rules.length ?? 0))).toEqual(hosts[0]?.rules)
    // Rule sets also apply to a host that is known only by its repository.
    const own = withInspection(withForges([], [forge('git', 'git.example/me/it')]), {
      inspect: [],
      rules: [],
      ruleSets: [{ ...parseRuleSet('delete', '--rules'), project: false, place: '--rules' }],
    })
    expect(own[0]?.inspect?.rules[0]?.source).toBe('delete')
  })
})

test('every line in which no token is used has a reason, and is listed once', () => {
  for (const rows of Object.values(neverUsedFor)) {
    expect(rows.every(({ why, path }) => why !== '' && path.startsWith('/'))).toBe(true)
    const keys = rows.map(({ methods = [], path }) => `${methods} ${path}`)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

test('a format behind its last word makes nothing else of what the token is never used for', () => {
  table(forge('gitlab', 'gitlab.com/group/it=write', 'gitlab.com/group/it'), {
    'GET gitlab.com/api/v4/projects/group%2Fit/variables.json': 'without, deny',
    'GET gitlab.com/api/v4/projects/group%2Fit/variables%2Ejson': 'without, deny',
    'POST gitlab.com/api/v4/projects/group%2Fit/hooks.json': 'without, deny',
    'GET gitlab.com/api/v4/projects/group%2Fit/pipelines/1/variables.JSON': 'without, deny',
    'GET gitlab.com/api/v4/projects/group%2Fit/issues.json': 'without, deny',
    'GET gitlab.com/api/v4/projects/group%2Fit/repository/archive.zip': 'token, allow',
  })
  table(forge('github', 'github.com/me/it=write'), {
    'POST api.github.com/repos/me/it/keys.json': 'without, deny',
    'GET api.github.com/repos/me/it/contents/keys.json': 'token, allow',
  })
})

test('the patterns of git at a whole host reach no path of an API on the same host', () => {
  const git = ['git-upload-pack', 'git-receive-pack', 'info/lfs/objects/batch']
  const paths = git.flatMap((each) => [`/api/v4/projects/12/repository/files/${each}`, `/api/v4/projects/12/variables/${each}`])
  for (const wish of ['gitlab.example', 'gitlab.example/group/*', 'gitlab.example/a/b=write'])
    table(forge('gitlab', wish), Object.fromEntries(paths.map((each) => [`POST gitlab.example${each}`, 'without, deny'])))
  table(forge('gitlab', 'gitlab.example=write'), {
    'POST gitlab.example/api/v4/projects/12/repository/files/git-upload-pack': 'token, ask',
    'POST gitlab.example/api/v4/projects/12/repository/files/git-receive-pack': 'token, ask',
    'POST gitlab.example/api/v4/projects/12/variables/git-upload-pack': 'without, deny',
    'POST gitlab.example/a/b.git/git-upload-pack': 'token, allow',
    'POST gitlab.example/a/b.git/git-receive-pack': 'token, ask',
  })
  table(forge('github-enterprise', 'ghe.example'), {
    'POST ghe.example/api/v3/repos/a/b/contents/git-upload-pack': 'without, deny',
    'GET ghe.example/api/v3/repos/a/b/contents/info/refs?service=git-upload-pack': 'token, allow',
    'POST ghe.example/a/b.git/git-upload-pack': 'token, allow',
  })
})

test('the token of a named project reads nothing of another one that an issue, a merge request or a configuration names', () => {
  const at = 'gitlab.example/api/v4/projects/a%2Fb'
  const issue = ['links', 'related_merge_requests', 'closed_by'].map((each) => `issues/1/${each}`)
  const merge = ['closes_issues', 'related_issues', 'blocks'].map((each) => `merge_requests/1/${each}`)
  for (const wish of ['gitlab.example/a/b', 'gitlab.example/a/b=write'])
    table(forge('gitlab', wish), Object.fromEntries([...issue, ...merge, 'ci/lint'].map((each) => [`GET ${at}/${each}`, 'without, deny'])))
  table(forge('gitlab', 'gitlab.example/a/b=write'), {
    [`POST ${at}/ci/lint`]: 'without, deny',
    [`GET ${at}/issues/1/notes`]: 'token, allow',
    [`GET ${at}/merge_requests/1/changes`]: 'token, allow',
    [`GET ${at}/merge_requests/1/approvals`]: 'token, allow',
  })
})
