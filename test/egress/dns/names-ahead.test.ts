import { expect, test } from 'vitest'
import { checkNames } from '../../../src/egress/dns/names-ahead.ts'
import { hostResolver, type Resolver } from '../../../src/egress/dns/resolver.ts'
import type { EgressNotice } from '../../../src/egress/notice.ts'
import type { AllowEntry } from '../../../src/egress/policy/egress-policy.ts'

const entry = (host: string, more: Partial<AllowEntry> = {}): AllowEntry => ({
  host,
  ports: [443],
  internal: false,
  source: 'npm',
  ...more,
})

const addresses: Record<string, readonly string[]> = {
  'public.test': ['93.184.216.34'],
  'mixed.test': ['10.0.0.5', '93.184.216.34'],
  'internal.test': ['10.0.0.5'],
  'wanted.test': ['10.0.0.5'],
  'api.test': ['10.0.0.6'],
}

async function checked(entries: readonly AllowEntry[], mode: 'allowlist' | 'open' = 'allowlist') {
  const [asked, notices]: [string[], EgressNotice[]] = [[], []]
  const resolver: Resolver = {
    resolve: () => Promise.reject(new Error('not used')),
    async ahead(names, _signal, found) {
      asked.push(...names)
      for (const each of names) found(each, addresses[each]?.map((address) => ({ address, family: 4 })) ?? null)
    },
  }
  const { signal } = new AbortController()
  await checkNames({ mode, entries }, { resolver, own: () => new Set(), notice: (each) => notices.push(each), signal })
  return { asked, notices }
}

test('5: allowed names without a usable address are reported before a cell uses them, the user’s first', async () => {
  const { asked, notices } = await checked([
    ...['public.test', 'mixed.test', 'internal.test'].map((each) => entry(each)),
    entry('wanted.test', { internal: true }),
    entry('gone.test', { source: 'user' }),
  ])
  expect(asked).toEqual(['gone.test', 'public.test', 'mixed.test', 'internal.test', 'wanted.test'])
  expect(notices).toEqual([
    { kind: 'unresolvable', host: 'gone.test' },
    {
      kind: 'internal-address',
      host: 'internal.test',
      ports: [443],
      addresses: [{ address: '10.0.0.5', kind: 'private' }],
      option: '--allow',
    },
  ])
})

test('5: pins, wildcards and hosts that need an answer are not resolved ahead', async () => {
  const { asked } = await checked([
    entry('pinned.test', { pin: { address: '10.0.0.5' } }),
    entry('*.wild.test'),
    entry('asked.test', { ask: true }),
    entry('public.test'),
  ])
  expect(asked).toEqual(['public.test'])
})

test('5: a preset’s host is not looked up if the user pins all of its ports', async () => {
  const pinned = entry('internal.test', { source: 'user', pin: { address: '10.0.0.5' } })
  expect((await checked([entry('internal.test'), pinned])).asked).toEqual([])
  const { notices } = await checked([entry('internal.test', { ports: [80, 443] }), pinned])
  expect(notices).toMatchObject([{ host: 'internal.test' }])
})

test('5: an endpoint is resolved by the name of its API, which no option pins', async () => {
  const endpoint = entry('model.paddock.internal', { ports: [80], endpoint: { host: 'api.test', port: 8443 } })
  expect((await checked([endpoint])).notices).toMatchObject([{ host: 'api.test', ports: [8443], option: null }])
  expect((await checked([entry('internal.test')], 'open')).notices).toMatchObject([{ host: 'internal.test', option: '--inspect' }])
})

test('5: the host’s resolver looks names up in another process, which ends with the signal', async () => {
  const { ahead } = hostResolver()
  const found: [string, readonly string[] | null][] = []
  const take = (name: string, each: readonly { address: string }[] | null): void =>
    void found.push([name, each?.map((one) => one.address) ?? null])
  await ahead?.(['localhost', 'nowhere.invalid'], new AbortController().signal, take)
  expect(found.find(([name]) => name === 'localhost')?.[1]).toContain('127.0.0.1')
  expect(found).toContainEqual(['nowhere.invalid', null])
  found.length = 0
  const stop = new AbortController()
  const ended = ahead?.(['localhost'], stop.signal, take)
  stop.abort()
  await ended
  expect(found).toEqual([])
})
