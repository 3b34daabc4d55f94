import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/server/app.ts'
import { type ListenOptions, listen } from '../../src/server/listen.ts'
import { serverLog } from '../../src/server/server-log.ts'
import { eventsInMemory } from '../support/events-in-memory.ts'
import { temporary } from '../support/temporary.ts'
import { ask, testServer } from '../support/test-server.ts'
import { tokensInMemory } from '../support/tokens-in-memory.ts'

const start = (options: ListenOptions) =>
  listen(
    buildApp({
      version: '0',
      tokens: tokensInMemory(),
      events: eventsInMemory(),
      log: serverLog('silent'),
      notReady: () => 'The data is being restored.',
      onChange: () => {},
    }),
    options,
  )
const loopback = { host: '127.0.0.1', port: 0 }

describe('listening', () => {
  it('on a Unix socket only its user can open works at any length of its path, and leaves nothing behind', async () => {
    await using directory = await temporary()
    const socket = directory.at('d'.repeat(100), 'e'.repeat(100), 'paddock.sock')
    await mkdir(directory.at('d'.repeat(100)))
    for (let times = 0; times < 2; times += 1) {
      const { close, url } = await start({ socket })
      expect(url).toBeNull()
      const facts = statSync(socket)
      expect([facts.isSocket(), facts.mode & 0o777, statSync(directory.at('d'.repeat(100), 'e'.repeat(100))).mode & 0o777]).toEqual([
        true,
        0o600,
        0o700,
      ])
      const folder = await open(path.dirname(socket))
      const { status, json } = await ask({ socketPath: `/proc/self/fd/${folder.fd}/paddock.sock` }, '/readyz')
      await folder.close()
      expect([status, json.detail]).toEqual([503, 'The data is being restored.'])
      await close()
      expect(statSync(socket, { throwIfNoEntry: false })).toBeUndefined()
    }
    // A socket file that a killed server left is replaced.
    await writeFile(socket, '')
    await (await start({ socket })).close()
  })

  it('is refused for a socket whose directory others may enter', async () => {
    await using directory = await temporary()
    await mkdir(directory.at('open'), { mode: 0o755 })
    await expect(start({ tcp: loopback, socket: directory.at('open', 'paddock.sock') })).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
  })

  it('is refused on a taken port, and beyond loopback without a public name and TLS', async () => {
    const { url, close } = await start({ tcp: loopback })
    const port = Number(new URL(url ?? '').port)
    await expect(start({ tcp: { host: '127.0.0.1', port } })).rejects.toMatchObject({ code: 'CONFLICT' })
    await close()
    await expect(start({ tcp: { host: '0.0.0.0', port: 0 } })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(start({ tcp: { host: '0.0.0.0', port: 0 }, tlsProxy: true })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(start({ tcp: loopback, public: ['paddock.example'] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    for (const name of ['https://paddock.example', 'paddock.example/', 'a b', '*', '*.example', 'user@host', 'Paddock.example', 'host.'])
      await expect(start({ tcp: loopback, public: [name], tlsProxy: true })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('on an IPv6 address answers to that address', async () => {
    const { url, close } = await start({ tcp: { host: '::1', port: 0 } })
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/$/)
    const port = Number(new URL(url ?? '').port)
    const status = async (host: string) => (await ask({ host: '::1', port }, '/healthz', { headers: { host } })).status
    expect(await status(`[::1]:${port}`)).toBe(200)
    expect(await status(`localhost:${port}`)).toBe(200)
    for (const host of [`127.0.0.1:${port}`, `::1:${port}`, `[0:0:0:0:0:0:0:1]:${port}`, `[::1%25lo]:${port}`, '[::1]'])
      expect([host, await status(host)]).toEqual([host, 403])
    await close()
  })

  it('with a certificate speaks TLS only, and knows its connections as well', async () => {
    await using directory = await temporary()
    const [key, cert] = [directory.at('key.pem'), directory.at('cert.pem')]
    const wish = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=paddock.example',
    ]
    execFileSync('openssl', [...wish, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const tls = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
    await using server = await start({ tcp: loopback, tls, public: ['paddock.example'] })
    const port = Number(new URL(server.url ?? '').port)
    expect(server.url).toBe(`https://127.0.0.1:${port}/`)
    const status = (headers: Record<string, string>, path = '/healthz') =>
      new Promise((resolve, reject) => {
        const request = httpsRequest({
          host: '127.0.0.1',
          port,
          path,
          headers,
          ca: tls.cert,
          checkServerIdentity: () => undefined,
          agent: false,
        })
        request.on('response', (response) => resolve(response.resume().statusCode))
        request.on('error', reject)
        request.end()
      })
    expect(await status({})).toBe(200)
    expect(await status({ origin: `https://127.0.0.1:${port}` })).toBe(200)
    expect(await status({ host: 'paddock.example', origin: 'https://paddock.example' })).toBe(200)
    expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(403)
    expect(await status({ host: 'evil.example' })).toBe(403)
    expect(await status({}, '/api/v1/session')).toBe(401)
    await expect(ask({ host: '127.0.0.1', port }, '/healthz')).rejects.toThrow()
  })

  it('ends connections that send a request too slowly, and goes on with the others', async () => {
    await using server = await testServer({}, { timeouts: { headMs: 100, requestMs: 200, checkMs: 20, closeMs: 50 } })
    const head = `POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`
    for (const begun of ['', head, `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`]) {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(begun)
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      await once(socket, 'close')
      expect([begun, text.slice(0, 12)]).toEqual([begun, 'HTTP/1.1 408'])
    }
    expect((await server.ask('/healthz')).status).toBe(200)
  })

  it('stops in time although clients keep their connections open', async () => {
    const server = await testServer({}, { timeouts: { headMs: 60_000, requestMs: 60_000, checkMs: 60_000, closeMs: 50 } })
    const sockets = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')]
    await Promise.all(sockets.map((each) => once(each, 'connect')))
    sockets[0]?.write('GET /healthz HTTP/1.1\r\n')
    const closed = sockets.map((each) => new Promise((resolve) => each.on('error', () => {}).on('close', resolve)))
    await server[Symbol.asyncDispose]()
    await Promise.all(closed)
  })
})
