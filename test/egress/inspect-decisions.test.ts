import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import type { ApprovalQuestion } from '../../src/egress/approvals/approval.ts'
import type { UpstreamProxy } from '../../src/egress/connection/dial.ts'
import { ProxyFailure } from '../../src/egress/upstream/proxy-handshake.ts'
import { publicAddress } from '../support/egress-lab.ts'
import { ending, until } from '../support/egress-peers.ts'
import { once1, say, tell } from '../support/inspect-clients.ts'
import { https1, inspection, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

describe('what is asked', () => {
  test('is held without reading the body, and goes on or not as it is answered', async () => {
    const questions: ApprovalQuestion[] = []
    const answers: ((allowed: boolean) => void)[] = []
    await using lab = await openInspectLab(network, ['ask POST /**'], {
      approve: (question) => {
        questions.push(question)
        return new Promise((resolve) => answers.push((allowed) => resolve({ allowed, scope: 'once', by: 'command' })))
      },
    })
    await lab.upstream(443, https1(tell))
    const client = await lab.tls()
    client.write(say('POST /pay?card=1', 'Content-Length: 8000000'))
    client.write(Buffer.alloc(8_000_000))
    await expect.poll(() => questions.length).toBe(1)
    expect(questions[0]).toMatchObject({
      cell: 'test-cell',
      host: 'a.example',
      port: 443,
      request: { method: 'POST', path: '/pay' },
      source: 'user',
    })
    expect(lab.dialled).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(client.writableLength).toBeGreaterThan(0)
    answers[0]?.(true)
    expect(await until(client, '}')).toContain('"size":8000000')
    client.write(say('POST /no', 'Content-Length: 0'))
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.(false)
    expect(await until(client, 'paddock')).toContain('403')
    client.destroy()
  })

  test('is denied if there is no one to answer', async () => {
    await using lab = await openInspectLab(network, ['ask * /**'])
    expect(await once1(lab, say('GET /'))).toContain('403')
    expect(lab.gateway.summary().denied).toMatchObject([{ reason: 'not-approved' }])
  })

  test('is forgotten when the client leaves', async () => {
    let stopped = false
    await using asking = await openInspectLab(network, ['ask * /**'], {
      approve: (_question, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = true
            resolve({ allowed: false, scope: 'once', by: 'end' })
          })
        }),
    })
    const client = await asking.tls()
    client.write(say('GET /'))
    await once(client, 'secureConnect')
    setTimeout(() => client.destroy(), 50)
    await expect.poll(() => stopped).toBe(true)
  })
})

describe('what is refused', () => {
  const other = 'GET / HTTP/1.1\r\nHost: b.example\r\n\r\n'
  test.each([
    ['another Host', other, 'host-mismatch'],
    ['a target elsewhere', 'GET http://b.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n', 'host-mismatch'],
    ['a length beside chunks', say('POST /', 'Content-Length: 3', 'Transfer-Encoding: chunked'), 'malformed'],
    ['two lengths', say('POST /', 'Content-Length: 3', 'Content-Length: 4'), 'malformed'],
    ['a folded field', say('GET /', 'X: a', ' b'), 'malformed'],
    ['a space before the colon', say('GET /', 'X : a'), 'malformed'],
    ['a wrong chunk', `${say('POST /', 'Transfer-Encoding: chunked')}x\r\n`, 'malformed'],
    ['CONNECT', 'CONNECT b.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['TRACE', say('TRACE /'), 'malformed'],
    ['a NUL in the path', say('GET /%00'), 'malformed'],
    ['a backslash', say('GET /a\\b'), 'malformed'],
    ['another path in a field', say('GET /', 'X-Original-URL: /admin'), 'malformed'],
    ['no HTTP at all', '\x16\x03\x01 nonsense\r\n\r\n', 'malformed'],
  ])('%s', async (_what, bytes, reason) => {
    await using lab = await openInspectLab(network)
    let asked = 0
    const made = https1((_request, response) => {
      asked++
      response.end()
    })
    await lab.upstream(443, made)
    const client = await lab.tls()
    client.write(bytes)
    const got = text(client).catch(() => '')
    await expect.poll(() => lab.gateway.summary().denied[0]?.reason).toBe(reason)
    client.end()
    expect(await got).not.toContain('200 OK')
    expect(asked).toBe(0)
  })

  test('a method in a field counts like one in the line', async () => {
    await using lab = await openInspectLab(network, ['deny DELETE /**'])
    await lab.upstream(443, https1(tell))
    expect(await once1(lab, say('POST /x', 'X-HTTP-Method-Override: DELETE'))).toContain('403')
    expect(await once1(lab, say('POST /x?_method=delete'))).toContain('403')
    expect(await once1(lab, say('POST /x'))).toContain('200')
  })

  test('a host with a certificate of another name', async () => {
    await using lab = await openInspectLab(network)
    await lab.upstream(443, https1(tell, 'b.example'))
    const got = await once1(lab, say('GET /'))
    expect(got).toContain('502 Bad Gateway')
    expect(got).toContain('bad-certificate')
  })

  test('a host with a certificate of an unknown authority', async () => {
    await using strict = await openInspectLab(network, [], { extraRoots: [] })
    await strict.upstream(443, https1(tell))
    expect(await once1(strict, say('GET /'))).toContain('bad-certificate')
    expect(strict.gateway.summary().denied).toMatchObject([{ reason: 'bad-certificate', count: 1 }])
  })

  test('a host at an internal address', async () => {
    await using lab = await openInspectLab(network)
    lab.answers.set('a.example', [['10.0.0.1'], [publicAddress]])
    expect(await once1(lab, say('GET /'))).toContain('internal-address')
    expect(lab.dialled).toEqual([])
  })

  describe.each([
    ['request', 'GET /'],
    ['websocket', 'GET /ws'],
  ])('a %s that fails tells the cell nothing about the network of the host:', (_, line) => {
    const asked =
      line === 'GET /'
        ? say(line)
        : say(line, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: x')
    const failing = (problem: string): UpstreamProxy => ({
      shown: 'http://10.9.8.7:3128',
      target: (host, port) => ({ address: '', family: 4, port, viaProxy: host }),
      connect: () => Promise.reject(new ProxyFailure(`the proxy http://10.9.8.7:3128 ${problem}`)),
    })

    test.each([
      ['refuses to connect to a.example:443 (403)', 'refuses to connect to a.example:443 (403)\n'],
      ['cannot be reached (connect ECONNREFUSED 10.9.8.7:3128)', 'cannot be reached\n'],
    ])('a proxy that %s', async (problem, expected) => {
      await using lab = await openInspectLab(network, [], { upstream: failing(problem) })
      const got = await once1(lab, asked)
      expect(got).toContain(`unreachable: the proxy of this machine ${expected}`)
      expect(got).not.toMatch(/10\.9|3128/)
      expect((await lab.event('egress.request')).data['detail']).toContain(problem)
    })

    test('a login that the proxy does not let renew', async () => {
      const why =
        'The claude login was not renewed (the proxy http://10.9.8.7:3128 cannot be reached (connect ECONNREFUSED 10.9.8.7:3128)).'
      const secret = () => Promise.reject(new PaddockError('LOGIN_NOT_RENEWED', why))
      const hosts = [{ host: 'a.example', port: 443, tls: true, paths: ['/**'] }]
      const places = [{ kind: 'header' as const, name: 'x-api-key' }]
      const credential = { name: 'KEY', hosts, places, placeholders: () => ['placeholder'], secret }
      await using lab = await openInspectLab(network, [], { credentials: [credential] })
      const got = await once1(lab, asked.replace('\r\n\r\n', '\r\nx-api-key: placeholder\r\n\r\n'))
      expect(got).toContain('The claude login was not renewed (the proxy of this machine cannot be reached).\n')
      expect(got).not.toMatch(/10\.9|3128/)
    })

    test('an internal address', async () => {
      await using lab = await openInspectLab(network)
      lab.answers.set('a.example', [['10.9.8.7']])
      const got = await once1(lab, asked)
      expect(got).toMatch(/^HTTP\/1\.1 403 [\s\S]*internal-address/)
      expect(got).not.toContain('10.9')
    })

    test('an address that refuses', async () => {
      const connect = () => Promise.reject(new Error('connect ECONNREFUSED 10.9.8.7:443 - Local (10.9.8.1:0)'))
      await using lab = await openInspectLab(network, [], { connect })
      const got = await once1(lab, asked)
      expect(got).toContain('unreachable: connect ECONNREFUSED\n')
      expect(got).not.toContain('10.9')
    })
  })

  test('anything but HTTP cannot go to an inspected host', async () => {
    await using lab = await openInspectLab(network, [], { limits: { sniffMs: 50 } }, [
      { host: 'ssh.example', ports: [22], inspect: inspection() },
    ])
    const client = await network.connect('198.18.0.2', 22)
    client.write('SSH-2.0-x\r\n')
    expect(await ending(client)).toBe('ECONNRESET')
    const silent = await network.connect('198.18.0.2', 22)
    expect(await ending(silent)).toBe('ECONNRESET')
    expect(lab.gateway.summary().denied).toMatchObject([{ host: 'ssh.example', reason: 'not-http', count: 2 }])
    expect(lab.dialled).toEqual([])
  })
})
