import { expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { dnsResolver, hostResolver, type Resolver } from '../../../src/egress/dns/resolver.ts'
import { sender } from '../../../src/fleet/webhooks/send.ts'
import { receiverUrl, targetsOf, Undelivered } from '../../../src/fleet/webhooks/webhook-address.ts'

const never = new AbortController().signal
const answering = (...addresses: readonly string[]): Resolver => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
})
const none = () => new Set<string>()

test('a URL of a receiver is kept as it is written, without its fragment', () => {
  expect(receiverUrl('https://hooks.example.com/a?b=c#d')).toBe('https://hooks.example.com/a?b=c')
  expect(receiverUrl('http://93.184.216.34:8080')).toBe('http://93.184.216.34:8080/')
})

test.each([
  ...['ftp://example.com/', 'example.com', '//example.com/', '', 'https://', 'file:///etc/passwd', 'javascript:1', 'unix:/run/x'],
  ...['https://me@example.com/', 'https://me:pw@example.com/', 'https://:pw@example.com/'],
  ...['http://localhost/', 'http://LOCALHOST./', 'http://a.localhost:80/', 'http://127.0.0.1/', 'http://127.1/', 'http://2130706433/'],
  ...['http://0x7f000001/', 'http://0177.0.0.1/', 'http://0/', 'http://[::1]/', 'http://[::]/', 'http://[::ffff:127.0.0.1]/'],
  ...['http://[::ffff:a00:1]/', 'http://[64:ff9b::a01:203]/', 'http://[2002:a01:203::1]/', 'http://[fe80::1]/', 'http://[fd00::1]/'],
  ...['http://10.0.0.1/', 'http://172.16.0.1/', 'http://192.168.1.1/', 'http://100.64.0.1/', 'http://169.254.169.254/latest/'],
  ...['http://１２７.0.0.1/', 'http://127。0。0。1/', 'http://127.0.0.1./', 'http://255.255.255.255/', 'http://224.0.0.1/'],
])('%s is refused as the URL of a receiver', (url) => {
  expect(() => receiverUrl(url)).toThrow(PaddockError)
})

test.each([
  ...['127.0.0.1', '10.1.2.3', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '255.255.255.255', '8.8.8.8%eth0'],
  ...['::1', '::ffff:10.1.2.3', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fd00:ec2::254', 'fe80::1', 'ff02::1'],
])('a name that resolves to %s is not dialled', async (address) => {
  const found = targetsOf(new URL('http://receiver.example/'), { resolver: answering(address), own: none }, never)
  await expect(found).rejects.toThrow(Undelivered)
  await expect(found).rejects.toThrow(/^receiver\.example resolves to \S+, an internal address \([\w-]+\)\.$/)
})

test('of several addresses only the public ones are dialled, none of them of this host', async () => {
  const url = new URL('https://receiver.example/')
  const mixed = answering('10.0.0.1', '93.184.216.34', '::1', '2606:2800:220:1::1')
  expect(await targetsOf(url, { resolver: mixed, own: none }, never)).toEqual([
    { address: '93.184.216.34', family: 4, port: 443 },
    { address: '2606:2800:220:1::1', family: 6, port: 443 },
  ])
  const own = () => new Set([Buffer.from([93, 184, 216, 34]).toString('hex')])
  await expect(targetsOf(url, { resolver: answering('93.184.216.34'), own }, never)).rejects.toThrow(/an internal address \(own\)/)
  await expect(targetsOf(url, { resolver: answering(), own: none }, never)).rejects.toThrow('receiver.example has no address.')
})

test('a name is looked up once for a delivery', async () => {
  let asked = 0
  const resolver: Resolver = {
    resolve: async () => [{ address: asked++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }],
  }
  const dialled: string[] = []
  const send = sender({
    resolver,
    own: none,
    connect: async ({ address }) => {
      dialled.push(address)
      throw new Error('no')
    },
  })
  await send('http://rebind.example/', { headers: {}, body: Buffer.from('') }, never)
  expect([asked, dialled]).toEqual([1, ['93.184.216.34']])
})

test.each([
  ['the resolver of the host', hostResolver()],
  ['the resolver of webhooks', dnsResolver({ timeoutMs: 500, tries: 1 })],
])('names and spellings of loopback are not dialled with %s', async (_, resolver) => {
  const connect = (): never => {
    throw new Error('it was dialled')
  }
  const send = sender({ resolver, own: none, connect })
  for (const url of ['http://localhost:1/', 'http://127.0.0.1:1/', 'http://[::ffff:127.0.0.1]:1/', 'http://2130706433:1/'])
    expect(await send(url, { headers: {}, body: Buffer.from('') }, never)).toMatchObject({
      status: null,
      problem: expect.stringMatching(/internal address|does not resolve/),
    })
})
