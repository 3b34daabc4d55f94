import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobIn } from '../../support/fleet-job.ts'
import { calling, type ModelFleet, startModelFleet } from '../../support/fleet-models.ts'

let here: ModelFleet
beforeAll(async () => {
  here = await startModelFleet()
})
afterAll(() => here[Symbol.asyncDispose]())

/** Starts an endpoint with this listener. */
async function endpoint(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
const chunk = (delta: object, finish: string | null = null): string =>
  event({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })
const call = (index: number, name: string, text: string) => ({
  tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: text } }],
})

describe('an endpoint that', () => {
  const streams = { 'content-type': 'text/event-stream' }
  const troubles: readonly (readonly [string, RequestListener, RegExp])[] = [
    ['sends garbage', (_, response) => void response.writeHead(200, streams).end('\u0000\u0001 not a stream'), /contains no events/],
    [
      'sends a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>internal: s3cr3t'),
      /it sent an HTML page instead of an event stream/,
    ],
    ['sends half a stream', (_, response) => void response.writeHead(200, streams).end(chunk({ content: 'Half of' })), /was cut off/],
    [
      'hangs up in the middle',
      (request, response) => {
        response.writeHead(200, streams).write(chunk({ content: 'Half of' }))
        setTimeout(() => request.socket.destroy(), 50)
      },
      /it closed the connection during its answer/,
    ],
    [
      'calls a tool with 16 MB',
      (_, response) => void response.writeHead(200, streams).end(chunk(call(0, 'bash', `{"command":"${'x'.repeat(16e6)}"}`), 'tool_calls')),
      /its answer is larger than 8 MiB/,
    ],
    [
      'calls a tool with 2 MB',
      (_, response) => void response.writeHead(200, streams).end(chunk(call(0, 'bash', `{"command":"${'x'.repeat(2e6)}"}`), 'tool_calls')),
      /it called bash with more than 1 MiB/,
    ],
    [
      'calls a thousand tools at once',
      (_, response) => {
        response.writeHead(200, streams)
        for (let index = 0; index < 1_000; index++) response.write(chunk(call(index, 'bash', '{"command":"touch reached"}')))
        response.end(chunk({}, 'tool_calls'))
      },
      /it asked for more than 64 tools at once/,
    ],
    ['redirects', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /redirects are refused/],
    ['answers 400 with what it holds', (_, response) => void response.writeHead(400).end('{"error":{"message":"s3cr3t"}}'), /answered 400/],
    ['answers 503', (_, response) => void response.writeHead(503).end(), /answered 503/],
  ]
  test.each(troubles)('%s fails its job with one sentence, and nothing of what it sent is passed on', async (what, listener, message) => {
    const { server, url } = await endpoint(listener)
    const name = what.replace(/[^a-z0-9]+/gi, '-').toLowerCase()
    const id = await here.create(name, { baseUrl: url, tools: ['bash'] })
    const job = await jobIn(here.fleet, name, 'go on')
    server.closeAllConnections()
    server.close()
    expect(job.state).toBe('failed')
    expect(job.result?.outcome.message).toMatch(message)
    expect(JSON.stringify(job)).not.toContain('s3cr3t')
    expect(existsSync(path.join(here.fleet.data, 'agents', id, 'slots/1/work/reached'))).toBe(false)
  })

  test('refuses the key is a login that is needed, and a fallback answers only for one that is overloaded', async () => {
    const refusing = await endpoint((_, response) => void response.writeHead(401).end())
    const busy = await endpoint((_, response) => void response.writeHead(529).end())
    const good = { provider: 'anthropic', model: 'second', baseUrl: `${here.models.url}/v1`, keyless: true }
    here.scripts.set('plain', () => ({ say: 'here I am' }))
    await here.create('refused', { baseUrl: refusing.url, fallbacks: [good] })
    await here.create('busy', { baseUrl: busy.url, fallbacks: [good] })
    const refused = await jobIn(here.fleet, 'refused', 'plain words')
    expect(refused.result?.outcome).toMatchObject({ kind: 'login-needed', message: expect.stringContaining('answered 401') })
    const { data } = await here.fleet.api.GET('/api/v1/inbox')
    expect(data?.items.find(({ agent }) => agent === 'refused')).toMatchObject({
      kind: 'key',
      text: expect.stringMatching(/^refused needs a key: its endpoint refused its key \(m at 127\.0\.0\.1:\d+ answered 401\)\.$/),
      hint: 'Set apiKey in its manifest to the key of this endpoint',
    })
    const answered = await jobIn(here.fleet, 'busy', 'plain words')
    expect(answered).toMatchObject({ state: 'done', result: { text: 'here I am', usage: { model: 'second' } } })
    expect(answered.result?.notes.join()).toMatch(
      /^second at 127\.0\.0\.1:\d+ answered instead of another endpoint: m at .* answered 529\.$/,
    )
    for (const each of [refusing, busy]) each.server.close()
  })

  test('calls tools without end is stopped after 200 answers', async () => {
    here.scripts.set('endless', () => ({ call: 'file_read', input: { path: '/etc/hostname' } }))
    await here.create('endless', { tools: ['file_read'] })
    const job = await jobIn(here.fleet, 'endless', 'endless calls')
    expect(job).toMatchObject({ state: 'failed', result: { turns: 200 } })
    expect(job.result?.outcome.message).toContain('it was not finished after 200 answers')
  })
})

describe('the tool runner', () => {
  const ways: readonly (readonly [string, string, RegExp])[] = [
    ['is killed', 'kill -9 $PPID', /its tool runner ended in its cell/],
    ['writes something else', 'echo nonsense > /proc/$PPID/fd/1; sleep 5', /its tool runner sent something other than answers/],
    [
      'gives answers for others',
      'printf \'{"type":"done","id":"77","ok":true,"text":"forged"}\\n\' > /proc/$PPID/fd/1; sleep 0.5; echo real',
      /^real\n\[exit code 0\]$/,
    ],
    [
      'says that it has other tools',
      'printf \'{"type":"ready","tools":[{}],"problems":[]}\\n\' > /proc/$PPID/fd/1; sleep 5',
      /something other/,
    ],
    ['floods', 'head -c 50000000 /dev/zero > /proc/$PPID/fd/1; sleep 5', /its tool runner sent something other than answers/],
  ]
  test.each(ways)('%s: the job ends or goes on, and says how', async (what, command, expected) => {
    const name = what.replace(/[^a-z0-9]+/gi, '-').toLowerCase()
    here.scripts.set(name, calling([['bash', { command }]]))
    await here.create(name, { tools: ['bash'] })
    const { result } = await jobIn(here.fleet, name, name)
    expect(result?.outcome.message ?? result?.text).toMatch(expected)
  })

  test('stops: its call ends the job once its time and some more have passed', async () => {
    here.scripts.set('stopped', calling([['bash', { command: 'kill -STOP $PPID; sleep 60', timeout: 1 }]]))
    await here.create('stopped', { tools: ['bash'] })
    const job = await jobIn(here.fleet, 'stopped', 'stopped runner')
    expect(job.result?.outcome.message).toContain('its tool runner does not answer')
  })
})

describe('an MCP server that', () => {
  const source = readFileSync(new URL('../../fixtures/mcp-server.mjs', import.meta.url), 'utf8')
  const command = (how: string) => ['/run/paddock/bin/node', '--input-type=module', '-e', source, how]
  test.each([
    ['hang', /An MCP server has no tools: sums: It did not answer within 30 s\./, null],
    ['die', /An MCP server has no tools: sums: /, null],
    ['killed', /^$/, /Error: /],
    ['lie', /^$/, /Error: /],
    ['large', /^$/, /^y{16384}\n\[… 39\d+ bytes left out …\]\ny{16384}$/],
  ])('does: %s, leaves its agent with an answer', async (how, note, said) => {
    here.scripts.set(`mcp-${how}`, calling(said === null ? [['bash', { command: 'echo on' }]] : [['sums__add', { a: 1, b: 2 }]]))
    await here.create(`mcp-${how}`, { tools: ['bash', 'sums/*'], mcp: { sums: { command: command(how) } } })
    const job = await jobIn(here.fleet, `mcp-${how}`, `mcp-${how} now`)
    expect(job.state).toBe('done')
    expect(job.result?.notes.join('\n')).toMatch(note)
    expect(job.result?.text).toMatch(said ?? /on\n\[exit code 0\]/)
  })

  test('floods fills the memory of its cell at most', async () => {
    here.scripts.set('mcp-flood', calling([['sums__add', { a: 1, b: 2 }]]))
    await here.create('mcp-flood', { tools: ['sums/*'], mcp: { sums: { command: command('flood') } }, limits: { memory: '512MiB' } })
    const job = await jobIn(here.fleet, 'mcp-flood', 'mcp-flood now')
    expect(['failed', 'done']).toContain(job.state)
    expect(job.result?.outcome.message ?? job.result?.text).toMatch(/memory|Error: |ended in its cell/)
  })

  test('is elsewhere is reached from the cell, with the placeholder of a secret or not at all', async () => {
    const seen: string[] = []
    const { server } = await endpoint((request, response) => {
      let body = ''
      request.on('data', (piece) => {
        body += piece
      })
      request.on('end', () => {
        seen.push(`${request.headers.host} ${request.headers['x-mark']}`)
        if (request.method !== 'POST') return void response.writeHead(405).end()
        const { id, method, params } = JSON.parse(body)
        if (id === undefined) return void response.writeHead(202).end()
        const initialized = {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'far', version: '1' },
        }
        const results: Record<string, object> = {
          initialize: initialized,
          'tools/list': { tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] },
          'tools/call': { content: [{ type: 'text', text: 'seen from afar' }] },
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
      })
    })
    const { port } = server.address() as AddressInfo
    here.scripts.set('mcp-far', calling([['far__look', {}]]))
    const mcp = { far: { url: 'http://mcp.example:8090/mcp', headers: { 'x-mark': 'mark $MARK' } } }
    const more = { tools: ['far/*'], mcp, env: ['MARK=42'] }
    await here.create('mcp-far', { ...more, egress: { allow: [`mcp.example:8090=127.0.0.1:${port}`] } })
    await here.create('mcp-not', more)
    expect((await jobIn(here.fleet, 'mcp-far', 'mcp-far now')).result?.text).toBe('seen from afar')
    expect(new Set(seen)).toEqual(new Set(['mcp.example:8090 mark 42']))
    const before = seen.length
    const refused = await jobIn(here.fleet, 'mcp-not', 'mcp-far now')
    expect(refused.result?.notes.join()).toContain('An MCP server has no tools: far: ')
    expect(seen.length).toBe(before)
    server.close()
  })
})

test('C1, C2, H3: no path and no URL that a model chose reaches the host process', async () => {
  // On some machines, a user may not open /dev/net/tun.
  await using here = await startModelFleet('root')
  const canary = path.join(here.fleet.stage.root, 'canary.txt')
  writeFileSync(canary, 'canary of the host')
  let reached = 0
  const { server, url } = await endpoint((_, response) => {
    reached++
    response.end('canary of the host')
  })
  const id = await here.create('prober', { tools: ['bash', 'file_read', 'file_write', 'file_edit', 'http'], egress: { policy: 'public' } })
  const work = path.join(here.fleet.data, 'agents', id, 'slots/1/work')
  const up = `..${'/..'.repeat(20)}`
  const paths = [
    canary,
    `${up}${canary}`,
    'link',
    'dirlink/canary.txt',
    `/proc/1/root${canary}`,
    `/proc/self/root${canary}`,
    `file://${canary}`,
  ]
  here.scripts.set(
    'probe',
    calling([
      ['bash', { command: `ln -s ${canary} link; ln -s ${path.dirname(canary)} dirlink` }],
      ...paths.map((each) => ['file_read', { path: each }] as const),
      ...paths.map((each) => ['file_edit', { path: each, old: 'canary', new: 'changed' }] as const),
      ['file_write', { path: canary, content: 'changed' }] as const,
      ['file_write', { path: 'link', content: 'changed' }] as const,
      ...[
        url,
        url.replace('127.0.0.1', 'localhost'),
        url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
        url.replace('127.0.0.1', '2130706433'),
      ].map((each) => ['http', { url: each }] as const),
      ['http', { url: `file://${canary}` }] as const,
    ]),
  )
  const job = await jobIn(here.fleet, 'prober', 'probe everything')
  server.close()
  expect(job.state).toBe('done')
  expect(job.result?.toolCalls).toBe(22)
  expect(job.result?.text).not.toContain('canary of the host')
  expect(readFileSync(canary, 'utf8')).toBe('canary of the host')
  expect(reached).toBe(0)
  expect(existsSync(path.join(work, 'link'))).toBe(true)
})

test('C2: each hop of a redirect is judged anew, three are followed, and no credential goes to another origin', async () => {
  let reached = 0
  const inner = await endpoint((_, response) => {
    reached++
    response.end('internal')
  })
  const seen: (string | undefined)[] = []
  const { server } = await endpoint((request, response) => {
    seen.push(request.headers.authorization)
    const hops = Number(/^\/hops\/(\d+)$/.exec(request.url ?? '')?.[1] ?? -1)
    const to =
      hops > 0
        ? `/hops/${hops - 1}`
        : { '/inner': inner.url, '/name': 'http://inner.example/', '/other': 'http://other.example:8092/hops/0' }[request.url ?? '']
    if (to === undefined) return void response.end('arrived')
    response.writeHead(302, { location: to }).end()
  })
  const { port } = server.address() as AddressInfo
  const at = (path: string) =>
    ['http', { url: `http://site.example:8091${path}`, headers: { authorization: 'Bearer of-the-site' } }] as const
  here.scripts.set('redirects', calling([at('/hops/3'), at('/hops/4'), at('/inner'), at('/name'), at('/other')]))
  const allow = [`site.example:8091=127.0.0.1:${port}`, `other.example:8092=127.0.0.1:${port}`]
  await here.create('follower', { tools: ['http'], egress: { allow } })
  const job = await jobIn(here.fleet, 'follower', 'redirects now')
  for (const each of [server, inner.server]) each.close()
  const said = job.result?.text.split('\n=====\n') ?? []
  expect(said[0]).toMatch(/^200 OK\n.*\narrived$/s)
  expect(said[1]).toContain('It redirects more than 3 times')
  expect(said[2]).toMatch(/^Error: fetch failed/)
  expect(said[3]).toMatch(/^Error: fetch failed/)
  expect(said[4]).toMatch(/\narrived$/)
  expect(reached).toBe(0)
  expect(seen.at(-2)).toBe('Bearer of-the-site')
  expect(seen.at(-1)).toBeUndefined()
})

test('output is cut in the middle and readable, a timeout ends the whole process tree, and background processes continue', async () => {
  const commands = [
    'head -c 5000000 /dev/zero | tr "\\0" z; echo; echo last',
    'printf "a\\000b\\377c"',
    '(setsid sh -c "sleep 3; touch too-late" &) ; sleep 60',
    '(sleep 0.3; touch background) & echo started',
    'sleep 1; ls background',
  ]
  const timeouts = [120, 120, 1, 120, 120]
  here.scripts.set('shell', calling(commands.map((command, index) => ['bash', { command, timeout: timeouts[index] ?? 120 }])))
  const id = await here.create('shell-user', { tools: ['bash'] })
  const job = await jobIn(here.fleet, 'shell-user', 'shell work')
  const said = (job.result?.text ?? '').split('\n=====\n')
  expect(said[0]).toMatch(/^z{16384}\n\[… 49\d+ bytes left out …\]\nz+\nlast\n\[exit code 0\]$/)
  expect(said[1]).toBe('a␀b�c\n[exit code 0]')
  expect(said[2]).toBe('[stopped: its time ended]')
  expect(said[3]).toBe('started\n[exit code 0]')
  expect(said[4]).toBe('background\n[exit code 0]')
  await pause(2_500)
  expect(existsSync(path.join(here.fleet.data, 'agents', id, 'slots/1/work/too-late'))).toBe(false)
})
