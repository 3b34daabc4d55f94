import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayOptions } from '../../../src/egress/cell-gateway.ts'
import type { UpstreamProxy } from '../../../src/egress/connection/dial.ts'
import { quickResolver, TooBusy } from '../../../src/egress/dns/quick-resolver.ts'
import type { Resolver } from '../../../src/egress/dns/resolver.ts'
import { openLab } from '../../support/egress-lab.ts'
import { openTestNetwork, type TestNetwork } from '../../support/netns.ts'

const answering = (...addresses: string[]): Resolver => ({
  resolve: async () => addresses.map((address) => ({ address, family: 4 })),
})
const failing = (code: string): Resolver => ({ resolve: () => Promise.reject(Object.assign(new Error(code), { code })) })
const silent: Resolver = {
  resolve: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
}
const never = new AbortController().signal

describe('behind a proxy, a name without an answer', () => {
  test('is looked up by the second resolver, but not if the first one knows that it does not exist', async () => {
    const second = answering('10.0.0.5')
    expect(await quickResolver(failing('EAI_AGAIN'), second).resolve('wiki.example', never)).toMatchObject([{ address: '10.0.0.5' }])
    await expect(quickResolver(failing('ENOTFOUND'), second).resolve('wiki.example', never)).rejects.toThrow('ENOTFOUND')
    await expect(quickResolver(failing('EAI_AGAIN'), failing('ETIMEOUT')).resolve('wiki.example', never)).rejects.toThrow('EAI_AGAIN')
  })

  test('keeps the answer that it had', async () => {
    let asked = 0
    const once: Resolver = {
      resolve: (name, signal) => (asked++ === 0 ? answering('10.0.0.5') : failing('ENOTFOUND')).resolve(name, signal),
    }
    const resolver = quickResolver(once, null)
    for (const _ of [1, 2, 3]) expect(await resolver.resolve('wiki.example', never)).toMatchObject([{ address: '10.0.0.5' }])
    expect(asked).toBe(3)
  })

  test('is not looked up while too many are', async () => {
    const held = Promise.withResolvers<never>()
    held.promise.catch(() => undefined)
    const resolver = quickResolver(failing('EAI_AGAIN'), { resolve: () => held.promise })
    const all = Array.from({ length: 65 }, (_, index) => resolver.resolve(`n${index}.example`, never).catch((error: unknown) => error))
    expect(await all.at(-1)).toBeInstanceOf(TooBusy)
    held.reject(new Error('no answer'))
    expect((await Promise.all(all)).filter((each) => each instanceof TooBusy)).toHaveLength(1)
  })
})

describe('a proxy is not asked for a host whose addresses are internal', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await openTestNetwork()
  })
  afterAll(() => network[Symbol.asyncDispose]())

  test.each<[string, Partial<GatewayOptions>, string]>([
    ['when the cell keeps the resolver busy', { resolver: failing('busy'), realResolver: answering('10.0.0.5') }, 'internal-address'],
    ['when the cell keeps both resolvers busy', { resolver: failing('busy'), realResolver: silent }, 'unresolvable'],
  ])('%s', async (_, resolvers, reason) => {
    const asked: string[] = []
    const upstream: UpstreamProxy = {
      shown: 'http://proxy.example:3128',
      target: (host, port, [first]) => ({ address: first?.address ?? '', family: 4, port, viaProxy: host }),
      connect: (host) => {
        asked.push(host)
        return Promise.reject(new Error('refused'))
      },
    }
    const hosts = Array.from({ length: 64 }, (_each, index) => ({ host: `slow${index}.example`, ports: [80] }))
    await using lab = await openLab(network, [...hosts, { host: 'wiki.corp.example', ports: [80] }], { upstream, ...resolvers })
    const request = (at: number, host: string) =>
      network.connect(`198.18.0.${at}`, 80).then((client) => {
        client.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
        return client
      })
    const others = await Promise.all(hosts.map(({ host }, index) => request(index + 1, host)))
    const client = await request(65, 'wiki.corp.example')
    const why = () => lab.events.find((each) => each.kind === 'egress.deny' && each.data['host'] === 'wiki.corp.example')?.data['reason']
    await expect.poll(why, { timeout: 20_000 }).toBe(reason)
    expect(asked).not.toContain('wiki.corp.example')
    for (const each of [...others, client]) each.destroy()
  })
})
