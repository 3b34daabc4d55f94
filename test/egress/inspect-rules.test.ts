import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpRule, RuleAction } from '../../src/egress/policy/egress-policy.ts'
import { methodOverrides } from '../../src/egress/requests/overrides.ts'
import { canonicalTarget, readingsOf } from '../../src/egress/requests/path.ts'
import { pathPattern, readingOf } from '../../src/egress/requests/path-pattern.ts'
import { judgeOf } from '../../src/egress/requests/request-rules.ts'
import { ruleSets, rulesOfSet } from '../../src/egress/requests/rule-sets.ts'
import { rule } from '../support/inspect-lab.ts'

/** Returns the decision of a policy on a request; null if the request has no single meaning. */
function decide(rules: readonly HttpRule[], method: string, target: string, otherwise: RuleAction = 'allow'): RuleAction | null {
  const canonical = canonicalTarget(target)
  return canonical === null ? null : judgeOf({ rules, otherwise })({ methods: [method], target: canonical }).action
}

describe('a target in its one spelling', () => {
  test.each([
    ['/a/b', '/a/b'],
    ['/a/./b/../c', '/a/c'],
    ['/a/%2e%2E/b', '/b'],
    ['//a///b//', '/a/b/'],
    ['/../../x', '/x'],
    ['/%7euser/%41', '/~user/A'],
    ['/a%2fb%3b', '/a%2Fb%3B'],
    ['/caf\xc3\xa9', '/caf%C3%A9'],
    ['/a/..', '/'],
    ['/a/b/..', '/a/'],
    ['/?x=/../y', '/'],
  ])('%s is %s', (target, path) => expect(canonicalTarget(target)?.path).toBe(path))

  test.each([
    '',
    'a',
    '*',
    '/a b',
    '/a\tb',
    '/a\\b',
    '/a#b',
    '/a%',
    '/a%2',
    '/%zz',
    '/%00',
    '/%0d%0a',
    '/%7f',
    '/%c0%af',
    `/${'a'.repeat(9_000)}`,
    '/?a#b',
    '/?a b',
  ])('%j has no rules', (target) => expect(canonicalTarget(target)).toBeNull())

  const segment = fc.array(
    fc.constantFrom('a', 'B', '.', '..', '%2e', '%2E', '%41', '%2f', '%5c', '%25', ';x', '~', '-', '%c3%a9', '@', ':', '%40'),
    { maxLength: 4 },
  )
  const target = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.map((each) => each.join('')).join('/')}`)

  test('is the same when it is brought into it again, and holds no dot segment and no empty one', () => {
    fc.assert(
      fc.property(target, (text) => {
        const { path } = canonicalTarget(text) ?? { path: '' }
        expect(canonicalTarget(path)?.path).toBe(path)
        expect(path).toMatch(/^\/[\x21-\x7e]*$/)
        expect(
          path
            .slice(1)
            .split('/')
            .slice(0, -1)
            .every((part) => part !== '' && part !== '.' && part !== '..'),
        ).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is what the WHATWG URL parser makes of it, but for empty segments and escapes', () => {
    fc.assert(
      fc.property(
        target.filter((text) => !/\/\//.test(text)),
        (text) => {
          expect(canonicalTarget(new URL(`https://a.example${text}`).pathname)?.path).toBe(canonicalTarget(text)?.path)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('patterns', () => {
  test.each([
    ['/a/*', '/a/b', true],
    ['/a/*', '/a/b/c', false],
    ['/a/*', '/a', false],
    ['/a/**', '/a', true],
    ['/a/**', '/a/b/c', true],
    ['/a/**', '/ab', false],
    ['/**/x', '/x', true],
    ['/**/x', '/a/b/x', true],
    ['/**/x', '/a/bx', false],
    ['/**', '/', true],
    ['/a*c', '/abbc', true],
    ['/a*c', '/ab/c', false],
    ['/a**c', '/ab/c', true],
    ['/a.b', '/axb', false],
    ['/%40x/y%2Fz', '/@x/y/z', true],
    ['/%40x', '/@x', true],
  ])('%s and %s: %s', (pattern, path, matches) =>
    expect(pathPattern(pattern, { ignoreCase: false }).matches(readingOf(path))).toBe(matches),
  )
})

describe('no spelling of a denied path passes', () => {
  /** Ways to write a character of a path, and to insert parts between its segments that are normalized away. */
  const spelt = (character: string) => {
    const escaped = `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
    return fc.constantFrom(character, escaped, escaped.toUpperCase(), `%25${escaped.slice(1)}`, character.toUpperCase())
  }
  const between = fc.constantFrom(
    '/',
    '//',
    '/./',
    '/%2e/',
    '/x/../',
    '/x/%2E%2e/',
    '/x/y/../../',
    '%2f',
    '%2F',
    '%252f',
    '%5c',
    ';v=1/',
    '/;/',
    '/x/..;/',
    '/.;a/',
  )
  const spelling = (path: string) =>
    fc
      .tuple(
        ...path
          .slice(1)
          .split('/')
          .map((part) => fc.tuple(between, ...[...part].map(spelt)).map((pieces) => pieces.join(''))),
        fc.constantFrom('', '/', '//', ';x', '/.', '?q=1'),
      )
      .map((pieces) => pieces.join(''))
      .map((text) => (text.startsWith('/') ? text : `/${text}`))

  test.each([
    ['/repos/me/it', [rule('deny * /repos/me/it')]],
    ['/repos/me/it', [rule('deny POST /repos/*/it')]],
    ['/repos/me/it', [rule('deny POST /repos/**')]],
    ['/me/it/git-receive-pack', rulesOfSet('git-push', 'deny')],
    ['/@me/it', rulesOfSet('publish', 'deny').map((each) => ({ ...each, methods: [] }))],
  ] as const)('%s', (path, rules) => {
    fc.assert(
      fc.property(spelling(path), (text) => {
        expect(decide(rules, 'POST', text)).not.toBe('allow')
      }),
      { numRuns: 3_000 },
    )
  })

  test('and none of another path is allowed by an exact rule', () => {
    fc.assert(
      fc.property(spelling('/repos/me/it'), (text) => {
        const canonical = canonicalTarget(text)?.path
        if (decide([rule('allow * /repos/me/it')], 'GET', text, 'deny') === 'allow') expect(canonical).toBe('/repos/me/it')
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('rules', () => {
  test('the first that matches decides, otherwise what the host says', () => {
    const rules = [rule('allow GET /a/**'), rule('ask * /a/b'), rule('deny * /a/**')]
    expect(decide(rules, 'GET', '/a/b')).toBe('allow')
    expect(decide(rules, 'POST', '/a/b')).toBe('ask')
    expect(decide(rules, 'POST', '/a/c')).toBe('deny')
    expect(decide(rules, 'POST', '/c', 'ask')).toBe('ask')
  })

  test('of several readings the strictest counts', () => {
    expect(decide([rule('ask * /a'), rule('deny * /a/b')], 'GET', '/a/b;x')).toBe('deny')
    expect(decide([rule('allow * /a*'), rule('deny * /a/b')], 'GET', '/a%2Fb')).toBe('deny')
    expect(decide([rule('allow * /a')], 'GET', '/A', 'deny')).toBe('deny')
    expect(decide([rule('deny * /a')], 'GET', '/A')).toBe('deny')
    expect(decide([rule('deny * /x')], 'GET', `/${'%25'.repeat(40)}41`)).not.toBeNull()
  })

  test('a parameter counts in every place and spelling', () => {
    const push: HttpRule = { action: 'deny', methods: [], path: '/**/info/refs', query: { service: 'git-receive-pack' }, source: 'x' }
    for (const query of [
      'service=git-receive-pack',
      'a=b&service=git%2Dreceive-pack',
      'service=git-upload-pack&service=git-receive-pack',
      'x;service=git-receive-pack',
      'SERVICE=Git-Receive-Pack',
    ])
      expect(decide([push], 'GET', `/me/it/info/refs?${query}`)).toBe('deny')
    expect(decide([push], 'GET', '/me/it/info/refs?service=git-upload-pack')).toBe('allow')
    const pull: HttpRule = { ...push, action: 'allow', query: { service: 'git-upload-pack' } }
    expect(decide([pull], 'GET', '/x/info/refs?service=git-upload-pack', 'deny')).toBe('allow')
    expect(decide([pull], 'GET', '/x/info/refs?service=git-upload-pack&service=git-receive-pack', 'deny')).toBe('deny')
  })

  test('readings are bounded', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('%25', '25', '2f', '%2F', ';', 'a', '/', '%5C', '%3B'), { maxLength: 60 }), (parts) => {
        const canonical = canonicalTarget(`/${parts.join('')}`)
        if (canonical !== null) expect(readingsOf(canonical.path)?.length ?? 0).toBeLessThanOrEqual(33)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** The most that one request can cost: 8 KiB with many readings, thousands of methods, rules that almost match. */
describe('a request that is made to be costly', () => {
  const rules = [...['git-push', 'publish', 'release', 'delete'].flatMap((set) => rulesOfSet(set, 'deny')), rule('deny * /**/admin/**/x')]
  const judge = judgeOf({ rules, otherwise: 'allow' })
  const methods = Array.from({ length: 200 }, (_, at) => `M${String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 26))}`)
  const query = `?${Array.from({ length: 8_000 }, (_, at) => `a=${at % 10}`).join('&')}`

  test.each([
    ['many readings', `${'/admin'.repeat(1_300)}/%25253b;a/%5c/`, ['GET']],
    ['many readings and methods', `${'/admin'.repeat(1_300)}/%25253b;a/%5c/`, methods],
    ['many methods', '/admin'.repeat(100), methods],
    ['many segments', '/a'.repeat(1_000), ['GET', 'POST', 'PUT']],
    ['the most that is judged', `${'/repos/x/y'.repeat(42)}/%253b;a/`, ['GET', 'POST', 'PUT', 'PATCH']],
    ['a pattern that is almost there', '/repositories/projects/api/v4'.repeat(30), ['POST']],
    ['segments of dots and blanks', `/${'.%20'.repeat(1_000)}x/${'a:$'.repeat(1_000)}`, ['GET']],
    ['letters that normalise to many', `/${'%EF%B7%BA'.repeat(900)}`, ['GET']],
    ['a query', `/x/info/refs${query}`, ['GET', 'POST']],
  ] as const)('%s: the judgement ends', (_, target, given) => {
    const canonical = canonicalTarget(target)
    if (canonical === null) throw new Error('the target is invalid')
    // A matcher that backtracks would not end, and the test would time out.
    expect(judge({ methods: given, target: canonical })).toBeDefined()
  })

  test('is denied where it is too much', () => {
    const verdict = (target: string, given: readonly string[] = ['GET']) => {
      const canonical = canonicalTarget(target)
      return canonical === null
        ? null
        : judgeOf({ rules: [rule('deny * /never')], otherwise: 'allow' })({ methods: given, target: canonical })
    }
    expect(verdict('/a', methods)).toEqual({ action: 'deny', rule: null })
    expect(verdict('/a'.repeat(1_100))).toEqual({ action: 'deny', rule: null })
    expect(verdict(`/${'a'.repeat(7_000)}/%25253b;a/%5c/`)).toEqual({ action: 'deny', rule: null })
    expect(verdict(`/${'a'.repeat(8_000)}`)).toEqual({ action: 'allow', rule: null })
    expect(verdict('/a'.repeat(500))).toEqual({ action: 'allow', rule: null })
  })

  test('by its methods, in the query or in fields, is refused', () => {
    const parameters = (...named: readonly string[]) => `?${named.map((each) => `_method=${each}`).join('&')}`
    expect(methodOverrides([], parameters('A', 'B', 'C', 'C', 'A'))).toEqual(['A', 'B', 'C'])
    expect(methodOverrides([], parameters('A', 'B', 'C', 'D'))).toBeNull()
    expect(
      methodOverrides(
        [
          ['x-http-method', 'A'],
          ['x-method', 'B'],
        ],
        parameters('C', 'D'),
      ),
    ).toBeNull()
    expect(methodOverrides([], parameters(...Array.from({ length: 2_000 }, () => 'DELETE')))).toEqual(['DELETE'])
  })
})

describe('ready-made sets', () => {
  /** A matching path for every rule: by name and by number, plain and with a format. */
  const examples = Object.keys(ruleSets).flatMap((set) =>
    (ruleSets[set]?.rules ?? [])
      .filter(([, path, query]) => query === undefined && path.startsWith('/**/'))
      .flatMap(([methods, path]) => {
        const plain = path
          .replace('/**/', '/api/')
          .replace(/\/\*\*$/, '')
          .replaceAll('*', '7')
        const numbered = /\/repos\/7\/7(?=\/|$)/.test(plain) ? [plain.replace('/repos/7/7', '/repositories/7')] : []
        const method = methods.split(',')[0] || 'POST'
        return [plain, ...numbered].flatMap((each) => [each, `${each}.json`]).map((each) => [set, method, each] as const)
      }),
  )
  test('know every line by its number too, and with a format', () => {
    expect(examples.length).toBeGreaterThan(100)
    for (const [set, method, target] of examples)
      expect(`${set} ${method} ${target}: ${decide(rulesOfSet(set, 'deny'), method, target)}`).toBe(`${set} ${method} ${target}: deny`)
  })

  const denied = (set: string, method: string, target: string) => decide(rulesOfSet(set, 'deny'), method, target)
  test.each([
    ['git-push', 'GET', '/me/it.git/info/refs?service=git-receive-pack'],
    ['git-push', 'POST', '/me/it.git/git-receive-pack'],
    ['git-push', 'POST', '/me/it.git/info/lfs/objects/batch'],
    ['git-push', 'PUT', '/repos/me/it/contents/a/b.txt'],
    ['git-push', 'PATCH', '/api/v3/repos/me/it/git/refs/heads/main'],
    ['git-push', 'POST', '/api/v4/projects/7/repository/commits'],
    ['git-push', 'POST', '/graphql'],
    ['git-push', 'PUT', '/repositories/1/contents/x'],
    ['git-push', 'PATCH', '/repositories/1/git/refs/heads/main'],
    ['git-push', 'PUT', '/repositories/1/pulls/1/merge'],
    ['git-push', 'POST', '/repositories/1/merges'],
    ['git-push', 'PUT', '/api/v4/projects/1/merge_requests/2/merge.json'],
    ['git-push', 'PUT', '/api/v4/projects/1/merge_requests/2/rebase'],
    ['git-push', 'POST', '/api/graphql.json'],
    ['git-push', 'POST', '/api/v1/repos/o/r/diffpatch'],
    ['git-push', 'POST', '/api/v1/repos/o/r/pulls/1/update'],
    ['git-push', 'PUT', '/repos/o/r/pulls/1/update-branch'],
    ['git-push', 'PUT', '/repositories/1/pulls/1/update-branch'],
    ['release', 'POST', '/repositories/1/releases'],
    ['release', 'POST', '/api/v4/projects/1/releases.json'],
    ['release', 'POST', '/repositories/1/git/refs'],
    ['delete', 'PATCH', '/repositories/1'],
    ['delete', 'POST', '/repositories/1/transfer'],
    ['delete', 'PUT', '/api/v4/projects/1.json'],
    ['delete', 'POST', '/api/v4/projects/1/archive.json'],
    ['publish', 'PUT', '/left-pad'],
    ['publish', 'PUT', '/@me%2fleft-pad'],
    ['publish', 'POST', '/legacy/'],
    ['publish', 'PUT', '/api/v1/crates/new'],
    ['publish', 'POST', '/api/v1/gems'],
    ['publish', 'PUT', '/v2/me/image/manifests/latest'],
    ['release', 'POST', '/repos/me/it/releases'],
    ['release', 'POST', '/repos/me/it/releases/1/assets?name=x'],
    ['release', 'POST', '/repos/me/it/git/refs'],
    ['release', 'POST', '/api/v4/projects/me%2Fit/releases'],
    ['delete', 'DELETE', '/repos/me/it'],
    ['delete', 'POST', '/repos/me/it/transfer'],
    ['delete', 'POST', '/api/graphql'],
  ])('%s denies %s %s', (set, method, target) => expect(denied(set, method, target)).toBe('deny'))

  test.each([
    ['git-push', 'GET', '/me/it.git/info/refs?service=git-upload-pack'],
    ['git-push', 'POST', '/me/it.git/git-upload-pack'],
    ['git-push', 'POST', '/repos/me/it/issues'],
    ['git-push', 'POST', '/repos/me/it/pulls'],
    ['git-push', 'POST', '/repositories/1/issues'],
    ['git-push', 'GET', '/repositories/1/contents/x'],
    ['release', 'GET', '/repositories/1/releases'],
    ['delete', 'PATCH', '/repositories/1/issues/2'],
    ['publish', 'GET', '/left-pad'],
    ['publish', 'POST', '/-/npm/v1/security/advisories/bulk'],
    ['publish', 'GET', '/simple/requests/'],
    ['publish', 'GET', '/v2/me/image/manifests/latest'],
    ['release', 'GET', '/repos/me/it/releases/latest'],
    ['delete', 'GET', '/repos/me/it'],
    ['delete', 'POST', '/repos/me/it/issues'],
  ])('%s lets %s %s pass', (set, method, target) => expect(denied(set, method, target)).toBe('allow'))
})

describe('B13: merge trains and starts of CI', () => {
  const denied = (method: string, target: string) => decide(rulesOfSet('git-push', 'deny'), method, target)
  test.each([
    ['POST', '/api/v4/projects/7/merge_trains/merge_requests/3'],
    ['POST', '/gitlab/api/v4/projects/me%2Fit/merge_trains/merge_requests/3.json'],
    ['POST', '/api/v4/projects/me%252Fit/merge_trains//merge_requests/3/'],
    ['POST', '/repos/me/it/dispatches'],
    ['POST', '/api/v3/repos/me/it/dispatches/'],
    ['POST', '/repositories/1/dispatches'],
    ['POST', '/repos/me/it/actions/workflows/ci.yml/dispatches'],
    ['POST', '/repos/me/it/actions/workflows/7/%64ispatches'],
    ['POST', '/repos/me/it/actions/workflows/.github%2Fworkflows%2Fci.yml/dispatches'],
    ['POST', '/repositories/1/actions/workflows/ci.yml/dispatches.json'],
    ['POST', '/api/v1/repos/me/it/actions/workflows/ci.yml/dispatches'],
    ['POST', '/repos/me/it/actions/runs/5/rerun'],
    ['POST', '/repos/me/it/actions/runs/5/rerun-failed-jobs'],
    ['POST', '/repos/me/it/actions/jobs/5/rerun'],
    ['POST', '/repos/me/it/deployments'],
    ['POST', '/api/v4/projects/7/pipeline'],
    ['POST', '/api/v4/projects/7/trigger/pipeline?token=x&ref=main'],
    ['POST', '/api/v4/projects/7/ref/main/trigger/pipeline'],
    ['POST', '/api/v4/projects/7/pipelines/5/retry'],
    ['POST', '/api/v4/projects/7/jobs/5/play'],
    ['POST', '/api/v4/projects/7/pipeline_schedules/5/play'],
    ['POST', '/2.0/repositories/me/it/pipelines/'],
  ])('B13: git-push denies %s %s', (method, target) => expect(denied(method, target)).toBe('deny'))

  test.each([
    ['GET', '/api/v4/projects/7/merge_trains/merge_requests/3'],
    ['GET', '/repos/me/it/actions/workflows/ci.yml'],
    ['GET', '/repos/me/it/deployments'],
    ['GET', '/api/v4/projects/7/pipelines/5'],
    ['GET', '/2.0/repositories/me/it/pipelines/'],
    ['POST', '/repos/me/it/actions/runs/5/cancel'],
  ])('git-push lets %s %s pass', (method, target) => expect(denied(method, target)).toBe('allow'))
})
