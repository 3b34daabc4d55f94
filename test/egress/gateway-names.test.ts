import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGateway } from '../../src/egress/cell-gateway.ts'
import { openLab, publicAddress } from '../support/egress-lab.ts'
import { echo, ending, refusal, web } from '../support/egress-peers.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

describe('where a name leads', () => {
  test('the address that was judged is the one that is dialled, though the name changes its mind', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    lab.answers.set('a.example', [[publicAddress], ['127.0.0.1']])
    const first = await network.connect('198.18.0.1', 9000)
    first.end('one\n')
    expect(await text(first)).toBe('one\n')
    const second = await network.connect('198.18.0.1', 9000)
    second.write('two\n')
    expect(await ending(second)).toBe('ECONNRESET')
    expect((await lab.event('egress.deny', 'internal-address')).data['detail']).toContain('127.0.0.1 (loopback)')
    expect(lab.dialled.map(({ address }) => address)).toEqual([publicAddress])
  })

  test('of several addresses the internal ones are left out and the others tried in order', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    const dead = await lab.upstream(9001, echo)
    lab.servers.set('93.184.216.99:9000', lab.servers.get(`${publicAddress}:9001`) ?? 0)
    dead.close()
    await once(dead, 'close')
    lab.answers.set('a.example', [['10.0.0.1', '::ffff:127.0.0.1', '93.184.216.99', publicAddress]])
    const client = await network.connect('198.18.0.1', 9000)
    client.end('one\n')
    expect(await text(client)).toBe('one\n')
    expect(lab.dialled.map(({ address }) => address)).toEqual(['93.184.216.99', publicAddress])
  })

  test.each([
    ['unresolvable', { resolver: { resolve: () => Promise.reject(new Error('ENOTFOUND')) } }],
    ['unreachable', { connect: () => Promise.reject(new Error('ETIMEDOUT')) }],
    ['internal-address', { hostAddresses: () => new Set(['5db8d822']) }],
  ])('%s', async (reason, options) => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }], options)
    const client = await network.connect('198.18.0.1', 9000)
    client.write('one\n')
    expect(await ending(client)).toBe('ECONNRESET')
    await lab.event('egress.deny', reason)
  })

  test('an entry that means internal, and one that is pinned, reach loopback; the pinned name is not resolved', async () => {
    await using lab = await openLab(network, [
      { host: 'inner.example', ports: [9000], internal: true },
      { host: 'pinned.example', ports: [9000], internal: true, pin: { address: '127.0.0.1', port: 9999 } },
    ])
    await lab.upstream(9000, echo)
    lab.servers.set('127.0.0.1:9000', lab.servers.get(`${publicAddress}:9000`) ?? 0)
    lab.servers.set('127.0.0.1:9999', lab.servers.get(`${publicAddress}:9000`) ?? 0)
    lab.answers.set('inner.example', [['127.0.0.1']])
    for (const address of ['198.18.0.1', '198.18.0.2']) {
      const client = await network.connect(address, 9000)
      client.end('one\n')
      expect(await text(client)).toBe('one\n')
    }
    expect(lab.resolved).toEqual(['inner.example'])
    expect(lab.dialled.map(({ port }) => port)).toEqual([9000, 9999])
  })
})

describe('DNS in the cell', () => {
  test('libc and c-ares get synthetic addresses; denied names do not exist and reach no resolver', async () => {
    await using lab = await openLab(network, [{ host: 'a.example' }, { host: '*.wild.example' }])
    expect((await network.run(['getent', 'ahosts', 'a.example'])).stdout).toContain('198.18.0.1')
    expect((await network.run(['getent', 'hosts', 'One.Wild.Example'])).stdout).toContain('198.18.0.2')
    expect((await network.run(['getent', 'hosts', 'wild.example'])).code).not.toBe(0)
    const script = `
      const { Resolver } = require('node:dns/promises')
      const resolver = new Resolver(); resolver.setServers(['127.0.0.53'])
      Promise.allSettled(['resolve4', 'resolve6', 'resolveTxt'].map((how) => resolver[how]('a.example')).concat(resolver.resolve4('secret.exfil.example'), resolver.resolvePtr('1.0.18.198.in-addr.arpa')))
        .then((all) => console.log(JSON.stringify(all.map((each) => each.value ?? each.reason.code))))`
    const { stdout } = await network.run([process.execPath, '-e', script])
    expect(JSON.parse(stdout)).toEqual([['198.18.0.1'], 'ENODATA', 'ENODATA', 'ENOTFOUND', 'ENOTFOUND'])
    expect(lab.resolved).toEqual([])
    expect(lab.gateway.summary().denied.map(({ host, port }) => [host, port])).toEqual([
      ['wild.example', null],
      ['secret.exfil.example', null],
    ])
    const names = lab.events.filter(({ kind }) => kind === 'egress.dns').map(({ data }) => `${data['name']} ${data['decision']}`)
    expect(names).toEqual(['a.example allowed', 'one.wild.example allowed', 'wild.example denied', 'secret.exfil.example denied'])
  })

  test('a flood of denied names does not fill memory or log', async () => {
    const lab = await openLab(network, [])
    const script = `
      const { Resolver } = require('node:dns/promises')
      const resolver = new Resolver(); resolver.setServers(['127.0.0.53'])
      ;(async () => { for (let at = 0; at < 3000; at += 100)
        await Promise.allSettled(Array.from({ length: 100 }, (_, index) => resolver.resolve4('n' + (at + index) + '.flood.example'))) })()`
    await network.run([process.execPath, '-e', script])
    await lab[Symbol.asyncDispose]()
    const summary = lab.gateway.summary()
    expect(summary.denied.length).toBe(1_000)
    expect(summary.deniedMore).toBeGreaterThanOrEqual(2_000)
    // At most the first thousand of any domain, the first thousand of this one, and the rest of the burst of all events.
    expect(lab.events.filter(({ kind }) => kind === 'egress.dns').length).toBeLessThanOrEqual(3_200)
    expect(lab.events.at(-1)).toMatchObject({ kind: 'egress.total' })
    expect(lab.events.at(-1)?.data['dnsDenied']).toBeGreaterThanOrEqual(3_000)
  })

  test('a real program that knows of nothing gets through by name', async () => {
    await using lab = await openLab(network, [{ host: '*.wild.example', ports: [80] }])
    await lab.upstream(80, web())
    const script = `fetch('http://deep.wild.example/x').then((answer) => answer.text()).then(console.log, (error) => console.log(error.cause?.code))`
    expect((await network.run([process.execPath, '-e', script])).stdout).toBe('deep.wild.example/x\n')
    expect((await network.run([process.execPath, '-e', script.replace('deep.wild', 'deep.tame')])).stdout).toBe('ENOTFOUND\n')
    expect(lab.resolved).toEqual(['deep.wild.example'])
  })
})

describe('addresses without a name', () => {
  test('only the listed ports of exact names are open, so that the cell has its own servers', async () => {
    await using lab = await openLab(network, [{ host: 'a.example' }, { host: 'b.example', ports: [443, 8443] }])
    expect(lab.gateway.wishes()).toEqual([
      { kind: 'dns-udp', address: '127.0.0.53', port: 53 },
      { kind: 'dns-tcp', address: '127.0.0.53', port: 53 },
      { kind: 'tcp', address: '198.18.0.1', port: 443 },
      { kind: 'tcp', address: '198.18.0.2', port: 443 },
      { kind: 'tcp', address: '198.18.0.2', port: 8443 },
    ])
    for (const [address, port] of [
      ['127.0.0.1', 443],
      ['198.18.0.1', 8443],
      ['198.18.0.3', 443],
    ] as const) {
      await expect(network.connect(address, port)).rejects.toThrow('ECONNREFUSED')
    }
    await expect(network.connect('93.184.216.34', 443)).rejects.toThrow('ENETUNREACH')
  })

  test('with a wildcard, an address that stands for no name is refused, and so is a port that the name does not have', async () => {
    await using lab = await openLab(network, [
      { host: '*.wild.example', ports: [9000] },
      { host: 'a.example', ports: [443] },
    ])
    for (const [address, reason] of [
      ['198.18.7.7', 'literal-address'],
      ['127.0.0.1', 'literal-address'],
      ['198.18.0.1', 'not-allowed'],
    ] as const) {
      expect(await refusal(network, address, 9000)).toBe('ECONNRESET')
      expect((await lab.event('egress.deny', reason)).data['port']).toBe(9000)
    }
  })

  test('off asks for nothing, public and open only for DNS', () => {
    const policies = [{ mode: 'off' }, { mode: 'public', entries: [], blocked: [] }, { mode: 'open', entries: [] }] as const
    for (const policy of policies) {
      const { mode } = policy
      const gateway = openGateway({ cell: 'c', policy, audit: () => {}, resolver: { resolve: async () => [] } })
      expect(gateway.wishes().map((each) => each.kind)).toEqual(mode === 'off' ? [] : ['dns-udp', 'dns-tcp'])
      expect(gateway.summary()).toEqual({ mode, connections: 0, bytesOut: 0, bytesIn: 0, reached: [], denied: [] })
    }
  })
})
