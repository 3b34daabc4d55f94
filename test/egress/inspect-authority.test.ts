import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer, connect as tlsConnect } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { makeAuthority, makeIssuer } from '../../src/egress/inspect/tls/authority.ts'
import { temporary } from '../support/temporary.ts'

const names = ['a.example', '*.b.example']

/** Returns the results of clients that trust the CA for a certificate that it signed for a name. */
async function verdicts(name: string): Promise<{ openssl: string; node: string; curl: string }> {
  await using directory = await temporary()
  const issuer = makeIssuer(names)
  const leaf = issuer.issue(name)
  await writeFile(directory.at('ca.pem'), issuer.certificate)
  await writeFile(directory.at('leaf.pem'), leaf.cert)
  const verified = spawnSync('openssl', [
    'verify',
    '-x509_strict',
    '-purpose',
    'sslserver',
    '-verify_hostname',
    name,
    '-CAfile',
    directory.at('ca.pem'),
    directory.at('leaf.pem'),
  ])
  const server = createServer(leaf, (socket) => void socket.on('error', () => {}).end('HTTP/1.1 204 No Content\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  )
  server.on('tlsClientError', () => {})
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = tlsConnect({ port, host: '127.0.0.1', servername: name, ca: issuer.certificate })
  const node = await new Promise<string>((resolve) =>
    client.once('secureConnect', () => resolve('OK')).once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? '')),
  )
  client.destroy()
  const { spawn } = await import('node:child_process')
  const curl = spawn('curl', [
    '-sS',
    '--cacert',
    directory.at('ca.pem'),
    '--resolve',
    `${name}:${port}:127.0.0.1`,
    `https://${name}:${port}/`,
  ])
  const [code] = (await once(curl, 'close')) as [number]
  server.close()
  return { openssl: verified.status === 0 ? 'OK' : String(verified.stderr), node, curl: code === 0 ? 'OK' : `exit ${code}` }
}

describe('the authority of a cell', () => {
  test.each(['a.example', 'x.b.example', 'y.x.b.example'])('vouches for %s', async (name) => {
    expect(await verdicts(name)).toEqual({ openssl: 'OK', node: 'OK', curl: 'OK' })
  })

  test.each(['evil.example', 'xa.example', 'example', 'b.example.com'])(
    'is refused by clients for %s, though it would sign',
    async (name) => {
      const { openssl, node, curl } = await verdicts(name)
      expect(openssl).toContain('permitted subtree violation')
      expect(node).not.toBe('OK')
      expect(curl).toBe('exit 60')
    },
  )

  test('signs for no name that it was not made for, keeps its key, and is new each time', () => {
    const authority = makeAuthority(names)
    for (const name of ['c.example', 'a.example.com', 'b.example']) expect(() => authority.leaf(name)).toThrow(name)
    expect(authority.leaf('a.example')).toBe(authority.leaf('a.example'))
    expect(JSON.stringify(authority)).not.toContain('PRIVATE')
    const [one, two] = [makeAuthority(names), makeAuthority(names)].map(({ certificate }) => new X509Certificate(certificate))
    expect(one?.serialNumber).not.toBe(two?.serialNumber)
    expect(one?.ca).toBe(true)
    expect(Date.parse(one?.validFrom ?? '')).toBeLessThan(Date.now() - 3_500_000)
  })
})
