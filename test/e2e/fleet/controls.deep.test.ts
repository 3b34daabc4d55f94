import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/client/api.ts'
import { serverEvents } from '../../../src/client/server-events.ts'
import { ordinary, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

type Job = components['schemas']['WholeJob']

/** An agent that runs its prompt as a script, and so obeys any prompt. */
const obedient = ['sh', '-c', 'cat > /tmp/script; sh /tmp/script 2>&1']
const canary = 'canary-9b1f6c20d4'
const passphrase = 'correct horse battery staple'

/** The controls that the reference lists for fleets (docs/THREAT-MODEL.md), each attacked over the real API. */
describe.each(ordinary)('controls of a fleet, as %s', (who) => {
  let fleet: FleetServer
  let hostPort = 0
  const listener = createServer((socket) => socket.end('reached'))
  beforeAll(async () => {
    fleet = await startFleet(who, [], (env) => ({ ...env, HOST_SECRET: canary }))
    const { stage } = fleet
    mkdirSync(path.join(stage.home, '.ssh'))
    writeFileSync(path.join(stage.home, '.ssh/id_ed25519'), canary)
    stage.own()
    await new Promise<void>((resolve) => listener.listen(0, '0.0.0.0', resolve))
    hostPort = (listener.address() as { port: number }).port
  })
  afterAll(async () => {
    listener.close()
    await paddock(fleet.stage, ['vault', 'lock'])
    await fleet[Symbol.asyncDispose]()
  })

  const agent = async (name: string, more: Record<string, unknown> = {}) => {
    const manifest = { name, agent: 'command', command: obedient, egress: { policy: 'off' }, ...more } as const
    return fleet.api.POST('/api/v1/agents', { body: { manifest } })
  }
  const give = (name: string, prompt: string) => fleet.api.POST('/api/v1/jobs', { body: { agent: name, labels: [], prompt } })
  /** Runs a script in an agent, and returns the output of the script. */
  const does = async (name: string, script: string): Promise<string> => {
    const id = (await give(name, script)).data?.id ?? ''
    const { data } = await fleet.api.GET('/api/v1/jobs/{job}/events', { params: { path: { job: id } }, parseAs: 'stream' })
    const said: { type: string; text?: string }[] = []
    for await (const { event, data: text } of serverEvents(data as ReadableStream<Uint8Array>))
      if (event === 'message') said.push(JSON.parse(text) as (typeof said)[number])
    const job = (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data as Job
    expect([job.state, job.result?.outcome.kind]).toEqual([expect.stringMatching(/done|failed/), 'ran'])
    return said.flatMap((each) => (each.type === 'result' ? [] : [each.text ?? ''])).join('\n')
  }

  test('C1, H3: no path, link or working directory that an agent names leads out of its workspace', async () => {
    await agent('c1')
    const { stage, data } = fleet
    const key = path.join(stage.home, '.ssh/id_ed25519')
    const said = await does(
      'c1',
      `pwd; cat ${key} ../..${key} /proc/1/root${key} /proc/1/cwd/.ssh/id_ed25519
       ln -s ${key} link; cat link; ln -s / root; cat root${key}
       cd ${stage.project} && pwd; cd ${data} && pwd; ls ${data} ${stage.root}
       echo planted > ${stage.home}/planted; echo planted > ${stage.project}/planted; echo planted > /etc/planted`,
    )
    expect(said.split('\n')[0]).toBe('/workspace')
    expect(said).not.toContain(canary)
    expect(said.split('\n')).not.toContain(stage.project)
    expect(said.split('\n')).not.toContain(data)
    for (const each of [stage.home, stage.project, '/etc']) expect(readdirSync(each)).not.toContain('planted')
    // The next job and the host find the links, but the host does not follow them.
    expect(await does('c1', `cat link root${key}`)).not.toContain(canary)
  })

  test('C2: neither the host, its API, a metadata service nor a private network is reached, by address or by name', async () => {
    await agent('c2', { egress: { policy: 'allowlist', allow: ['allowed.example'] } })
    const api = new URL(fleet.url).port
    const targets = [`127.0.0.1:${hostPort}`, `127.0.0.1:${api}`, `[::1]:${api}`, `localhost:${api}`, `allowed.example:${hostPort}`]
    const internal = ['169.254.169.254:80', '10.0.0.1:80', '192.168.0.1:80', '100.64.0.1:80', '[fd00::1]:80', `2130706433:${hostPort}`]
    const said = await does(
      'c2',
      `for each in ${[...targets, ...internal].map((each) => `'${each}'`).join(' ')}; do
         host=\${each%:*}; host=\${host#[}; host=\${host%]}
         if timeout 3 perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(PeerHost => shift, PeerPort => shift, Timeout => 2) or exit 1; exit !length(<$s> // "")' "$host" "\${each##*:}"
         then echo "reached $each"; else echo "no $each"; fi
       done`,
    )
    expect(said.split('\n').filter((each) => each.startsWith('reached'))).toEqual([])
    expect(said.split('\n').filter((each) => each.startsWith('no '))).toHaveLength(targets.length + internal.length)
  })

  test('C3, C4: a page of another origin, a forged name and a form are refused on every kind of route', async () => {
    const { hostname, port } = new URL(fleet.url)
    const token = await fleet.token('owner')
    const ask = (way: string, headers: Record<string, string>, route = '/api/v1/agents') =>
      new Promise<number>((resolve, reject) => {
        const sent = request({
          host: hostname,
          port,
          method: way,
          path: route,
          agent: false,
          headers: { authorization: `Bearer ${token}`, ...headers },
        })
        sent.once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
        sent.once('upgrade', (answer, socket) => {
          socket.destroy()
          resolve(answer.statusCode ?? 0)
        })
        sent.once('error', reject)
        sent.end()
      })
    const upgrade = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    }
    for (const wrong of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://${hostname}:1` },
      { host: 'evil.example' },
      { host: `127.0.0.1.evil.example:${port}` },
    ]) {
      expect(await ask('GET', wrong)).toBe(403)
      expect(await ask('POST', { ...wrong, 'content-type': 'application/x-www-form-urlencoded' })).toBe(403)
      expect(await ask('GET', { ...wrong, ...upgrade }, '/api/v1/watch')).toBe(403)
    }
    expect(await ask('POST', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(415)
    expect(await ask('GET', {})).toBe(200)
    expect((await fetch(`${fleet.url}/api/v1/agents`)).status).toBe(401)
  })

  test('C5, H8: agents see nothing of each other, and one that is made again under a name inherits nothing', async () => {
    const [one, two] = [await agent('bob.coop'), await agent('bob-coop')]
    await does('bob.coop', `echo ${canary} > mine; echo ${canary} > ~/mine; echo ${canary} > /tmp/mine; sleep 300 & echo $! > pid`)
    const root = path.join(fleet.data, 'agents', one.data?.id ?? '')
    const said = await does(
      'bob-coop',
      `cat mine ~/mine /tmp/mine ${root}/slots/1/work/mine; find / -name mine -not -path '/proc/*' 2>/dev/null; ls ${root}; ps -A 2>/dev/null | grep sleep`,
    )
    expect(said).not.toContain(canary)
    expect(said.split('\n').filter((each) => each.endsWith('/mine'))).toEqual([])
    expect(two.data?.id).not.toBe(one.data?.id)
    await fleet.api.DELETE('/api/v1/agents/{agent}', { params: { path: { agent: 'bob.coop' } } })
    const again = await agent('bob.coop')
    expect([again.response.status, await does('bob.coop', 'ls -A; cat ~/mine mine')]).toEqual([201, expect.not.stringContaining(canary)])
    expect(readdirSync(path.join(fleet.data, 'agents'))).not.toContain(one.data?.id)
  })

  test('C6: without a network there is none, and a manifest whose policy cannot hold makes no agent', async () => {
    await agent('c6')
    expect(await does('c6', 'cat /proc/net/dev | grep -v lo: | grep -c :; cat /proc/net/route | wc -l')).toBe('0\n1')
    const refused = await agent('c6-wrong', { egress: { policy: 'off', allow: ['allowed.example'] } })
    expect([refused.response.status, (refused.error as { code?: string }).code]).toEqual([400, 'BAD_INPUT'])
    const list = await fleet.api.GET('/api/v1/agents', { params: { query: {} } })
    expect(list.data?.items.map((each) => each.name)).not.toContain('c6-wrong')
  })

  test('H1: only its user may look into what a fleet keeps', async () => {
    const loose: string[] = []
    const look = (file: string): void => {
      const stat = lstatSync(file)
      // Files of agents in their homes and workspaces are protected by the mode of these directories.
      if ((stat.mode & 0o077) !== 0 && !stat.isSymbolicLink()) loose.push(file)
      if (stat.isDirectory() && !/\/slots\/\d+\/(?:home|work)$/.test(file))
        for (const each of readdirSync(file)) look(path.join(file, each))
    }
    look(fleet.data)
    expect(loose).toEqual([])
  })

  test('H6: a frame that is too large ends its WebSocket, and no other', async () => {
    const open = async () => {
      const ticket = await fleet.api.POST('/api/v1/tickets', {})
      const socket = new WebSocket(`${fleet.url.replace('http', 'ws')}/api/v1/watch`, [...(ticket.data?.protocols ?? [])])
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve, { once: true })
        socket.addEventListener('error', reject, { once: true })
      })
      return socket
    }
    const [one, other] = [await open(), await open()]
    const closed = new Promise<number>((resolve) => one.addEventListener('close', ({ code }) => resolve(code)))
    one.send('x'.repeat(1024 * 1024))
    expect(await closed).toBe(1009)
    expect(other.readyState).toBe(WebSocket.OPEN)
    other.close()
  })

  test('H7, M1: the environment of the server, the secrets of the vault and the token are in no cell, file or line', async () => {
    const { stage } = fleet
    const vault = async (args: readonly string[], input: string) => (await paddock(stage, ['vault', ...args], { input })).code
    expect(await vault(['init'], `${passphrase}\n`)).toBe(0)
    expect(await vault(['unlock'], `${passphrase}\n`)).toBe(0)
    expect(await vault(['set', 'KEY', '--host', 'allowed.example'], canary)).toBe(0)
    const made = await agent('h7', {
      secrets: ['KEY=vault:KEY'],
      env: ['OWN=mine'],
      egress: { policy: 'allowlist', allow: ['allowed.example'] },
    })
    expect(made.error).toBeUndefined()
    const said = await does('h7', 'env; cat /proc/*/environ | tr "\\0" "\\n"; echo "key $KEY"')
    expect(said).toMatch(/^OWN=mine$/m)
    expect(said).toMatch(/^key \S{8,}$/m)
    expect(said).not.toMatch(/HOST_SECRET|PADDOCK_HOME/)
    await agent('h7-other')
    expect(await does('h7-other', 'env')).not.toMatch(/^OWN=|^KEY=/m)
    const files = (directory: string): readonly string[] =>
      readdirSync(directory, { withFileTypes: true }).flatMap((each) => {
        const file = path.join(directory, each.name)
        return each.isDirectory() ? files(file) : each.isFile() ? [file] : []
      })
    const holding = [...files(fleet.data), ...files(stage.env['PADDOCK_HOME'] ?? '')].filter((each) => readFileSync(each).includes(canary))
    // The prompts and answers of earlier tests contain it on purpose.
    expect(holding.filter((each) => !/\/fleet\.db(?:-wal)?$|\/jobs\//.test(each))).toEqual([])
    expect(said).not.toContain(canary)
  })

  test('M3: a prompt that is too large is refused wherever prompts come in', async () => {
    await agent('m3')
    const prompt = 'x'.repeat(256 * 1024 + 1)
    const at = { params: { path: { job: (await give('m3', 'true')).data?.id ?? '' } } }
    const statuses = await Promise.all([
      give('m3', prompt),
      fleet.api.POST('/api/v1/jobs/{job}/continue', { ...at, body: { prompt } }),
      fleet.api.POST('/api/v1/jobs/{job}/messages', { ...at, body: { prompt } }),
      fleet.api.PATCH('/api/v1/jobs/{job}', { ...at, body: { prompt } }),
    ])
    expect(statuses.map((each) => each.response.status)).toEqual([413, 413, 413, 413])
  })

  test('LR1: wrong tokens are refused, whatever they ask for, and lock nobody out', async () => {
    const ask = async (route: string) => (await fetch(`${fleet.url}${route}`, { headers: { authorization: 'Bearer pdk_wrong' } })).status
    for (let count = 0; count < 15; count += 1) expect([await ask('/api/v1/agents'), await ask('/api/v1/jobs')]).toEqual([401, 401])
    const authorization = `Bearer ${await fleet.token('viewer')}`
    expect((await fetch(`${fleet.url}/api/v1/agents`, { headers: { authorization } })).status).toBe(200)
  })
})
