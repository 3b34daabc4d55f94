import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOverride } from '../../src/egress/requests/overrides.ts'
import { canonicalTarget } from '../../src/egress/requests/path.ts'
import { judgeOf } from '../../src/egress/requests/request-rules.ts'
import { once1, say, tell } from '../support/inspect-clients.ts'
import { https1, inspection, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const judge = judgeOf(inspection('deny * /secret/**', 'deny PUT /shared/only-here'))
const decide = (target: string) => {
  const canonical = canonicalTarget(target)
  return canonical === null ? null : judge({ methods: ['GET'], target: canonical }).action
}

describe('B9: paths as a Windows server folds them', () => {
  test.each([
    '/secret./x',
    '/secret../x',
    '/secret%20/x',
    '/secret%2520/x',
    '/secret.%20./x',
    '/secret%2e/x',
    '/.../secret/x',
    '/%ef%bd%93ecret/x',
    '/%EF%BD%93%EF%BD%85cret/x',
    '/%25ef%25bd%2593ecret/x',
    '/%ef%bc%8fsecret/x',
    '/%c5%bfecret/x',
    '/SECRET./x',
    '/secret::$DATA',
    '/secret:$i30:$INDEX_ALLOCATION/x',
    '/secret%3a%3a$DATA',
    '/secret;a=b./x',
  ])('B9: a rule holds for %s', (target) => expect(decide(target)).toBe('deny'))

  test.each([
    '/secrets./x',
    '/a.b/c',
    '/v1/x:method',
    '/repos/o/r/compare/main...topic',
    '/caf%C3%A9/x',
    '/%E5%AF%86/x',
    '/a%20b/x',
    '/%FF/x',
  ])('another path passes: %s', (target) => expect(decide(target)).toBe('allow'))

  test('B9: no mixture of dots and blanks behind a segment gets past a rule', () => {
    const tail = fc.array(fc.constantFrom('.', '%20', '%2e', '%2E', '%2520'), { maxLength: 4 }).map((each) => each.join(''))
    fc.assert(
      fc.property(tail, tail, (one, two) => {
        // A segment that consists only of dots goes up a level or stays in place.
        expect(decide(`/secret${one}/x${two}`)).not.toBe('allow')
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('B9: the Destination of WebDAV', () => {
  test.each([
    ['MOVE', 'https://a.example/secret/y'],
    ['COPY', '/secret/y'],
    ['COPY', 'https://a.example:443//%73ecret/./y'],
    ['MOVE', '/secret%20/y'],
    ['MOVE', '/shared/only-here'],
    ['MOVE', 'not a path'],
  ])('B9: %s is held to the rules for %s, too', async (method, destination) => {
    await using lab = await openInspectLab(network, ['deny * /secret/**', 'deny PUT /shared/only-here'])
    await lab.upstream(443, https1(tell))
    expect(await once1(lab, say(`${method} /mine`, `Destination: ${destination}`))).toMatch(/^HTTP\/1.1 40[03] /)
    expect(lab.dialled).toEqual([])
    expect(await once1(lab, say(`${method} /mine`, 'Destination: https://a.example/yours'))).toMatch(/^HTTP\/1.1 200 /)
  })

  test('B9: a question shows it', async () => {
    const asked: unknown[] = []
    await using lab = await openInspectLab(network, ['ask MOVE /**'], {
      approve: async ({ request }) => {
        asked.push(request)
        return { allowed: false, scope: 'once', by: 'end' }
      },
    })
    expect(await once1(lab, say('MOVE /mine', 'Destination: https://a.example/secret//y'))).toMatch(/^HTTP\/1.1 403 /)
    expect(asked).toEqual([{ method: 'MOVE', path: '/mine to /secret/y', query: '' }])
  })
})

test.each([
  'X-Forwarded-Prefix',
  'X-Envoy-Original-Path',
  'X_Accel_Redirect',
  'X-Sendfile',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-MS-Original-URL',
])('B9: %s, by which a server takes another path, is refused', (name) => expect(pathOverride([[name, '/secret']])).toBe(name.toLowerCase()))
