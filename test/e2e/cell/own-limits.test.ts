import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, nodeInCell, paddock, type Stage } from '../../support/cli.ts'

describe.each(everyone)('6: a cell knows its own limits, as %s:', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    stage.put('file', 'x')
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

  it('policy.json and README.md name what it can write, which hosts it can reach and what is protected', async () => {
    const args = ['--allow', 'a.test:443,8443=10.9.8.7', '--inspect', 'b.test', '--strict-names']
    const policy = JSON.parse((await inCell(stage, 'cat /run/paddock/policy.json', { args })).stdout) as Record<string, unknown>
    expect(policy).toMatchObject({
      schemaVersion: 1,
      writable: expect.arrayContaining([stage.project, stage.home, '/tmp']),
      protected: expect.arrayContaining([`${stage.project}/.envrc`]),
      egress: {
        mode: 'allowlist',
        hosts: expect.arrayContaining([
          { host: 'a.test', ports: [443, 8443] },
          { host: 'b.test', ports: [443], inspected: true },
        ]),
      },
      denied: '/run/paddock/denied.log',
    })
    expect(JSON.stringify(policy)).not.toContain('10.9.8.7')
    const { stdout } = await inCell(stage, 'cat /run/paddock/README.md', { args })
    expect(stdout).toContain('a.test:443,8443')
    expect(stdout).toContain(`**Writable:** ${'/'}`)
    expect(stdout).toMatch(/\*\*Protected\*\*.*\.envrc/)
    expect(stdout).not.toContain('10.9.8.7')
  })

  it('none of the files can be written, and --no-brief leaves them out', async () => {
    const script =
      'for f in policy.json README.md denied.log; do echo x >> /run/paddock/$f; chmod 777 /run/paddock/$f; rm -f /run/paddock/$f; done 2>/dev/null; cat /run/paddock/*'
    const { stdout } = await inCell(stage, script)
    expect(stdout).toContain('# This cell')
    expect(stdout).not.toMatch(/^x$/m)
    expect((await inCell(stage, 'ls /run/paddock', { args: ['--no-brief'] })).code).not.toBe(0)
  })

  it('each denial is a line of denied.log, also if no answer was possible, without control characters', async () => {
    // A name with an escape sequence, in a query of its own.
    const query = 'printf "\\1\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\7a\\033[2Jbc\\4test\\0\\0\\1\\0\\1" > /dev/udp/127.0.0.53/53'
    const script = `getent hosts one.test; getent hosts one.test; getent hosts two.test; bash -c '${query}'; getent hosts three.test; cat /run/paddock/denied.log`
    const { stdout } = await inCell(stage, script, { args: ['--allow', 'a.test=127.0.0.1'] })
    const lines = stdout.trimEnd().split('\n')
    const why = 'not-allowed: the name or the port is not in the list of this cell'
    for (const name of ['one.test', 'two.test', 'three.test']) expect(lines.filter((each) => each === `${name} ${why}`)).toHaveLength(1)
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/)
  })

  it('denied.log is bounded, and does not grow for repetitions', async () => {
    const script = `
      import { readFileSync } from 'node:fs'
      import { Resolver } from 'node:dns/promises'
      const resolver = new Resolver()
      const long = 'x'.repeat(60)
      void (async () => {
        for (let at = 0; at < 1500; at += 50)
          await Promise.allSettled(Array.from({ length: 50 }, (_, index) => resolver.resolve4(long + '.' + (at + index) + '.test')))
        const text = readFileSync('/run/paddock/denied.log', 'utf8')
        console.log(text.length + '\\n' + text.trimEnd().split('\\n').at(-1))
      })()`
    const { stdout } = await paddock(stage, ['run', '--quiet', '--allow', 'a.test=127.0.0.1', ...nodeInCell(script, [])])
    const [bytes, last] = stdout.trim().split('\n')
    expect(Number(bytes)).toBeLessThanOrEqual(65_536)
    expect(Number(bytes)).toBeGreaterThan(60_000)
    expect(last).toBe('further denials are not listed')
  })

  it('a denied request by plain HTTP is answered with 403, the code and the reason', async () => {
    const server = createServer((_request, response) => response.end('arrived'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ask = (host: string): string =>
      `exec 3<>/dev/tcp/a.test/80; printf "POST /x HTTP/1.1\\r\\nHost: ${host}\\r\\nContent-Length: 5\\r\\n\\r\\nhello" >&3; cat <&3`
    const ran = await paddock(stage, ['run', '--quiet', '--allow', `a.test:80=127.0.0.1:${port}`, '--', 'bash', '-c', ask('other.test')])
    server.close()
    expect(ran.stdout).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(ran.stdout).toContain('paddock: denied (host-mismatch): a.test:80: the Host field names another host than the connection\n')
  })
})
