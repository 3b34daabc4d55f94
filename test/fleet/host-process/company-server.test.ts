import { once } from 'node:events'
import { connect } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { type CompanyServerMeans, serveCompany } from '../../../src/fleet/host-process/company-server.ts'

const company: CompanyServerMeans['company'] = {
  ask: async (question) => ({ ok: true, text: `you asked: ${question}` }),
  allows: async () => ({ ok: true, text: '' }),
  delegate: async ({ agent }, signal) => {
    if (agent === 'slow') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    return { ok: false, text: `There is no agent ${agent} for you.` }
  },
}

function serve(more: Partial<CompanyServerMeans> = {}) {
  const { signal } = new AbortController()
  return serveCompany({ company, tools: ['ask', 'delegate'], delegates: ['slow'], signal, called: () => undefined, ...more })
}

test('a client of the protocol finds the tools that are listed, and their answers', async () => {
  const calls: unknown[] = []
  await using server = await serve({ called: (...call) => calls.push(call) })
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.port}/mcp`), { requestInit }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['ask', 'delegate'])
  const asked = await client.callTool({ name: 'ask', arguments: { question: 'why' } })
  expect(asked).toMatchObject({ content: [{ type: 'text', text: 'you asked: why' }], isError: false })
  const refused = await client.callTool({ name: 'delegate', arguments: { agent: 'nobody', prompt: 'x' } })
  expect(refused).toMatchObject({ content: [{ text: 'There is no agent nobody for you.' }], isError: true })
  expect(await client.callTool({ name: 'bash', arguments: { command: 'id' } })).toMatchObject({
    content: [{ text: 'There is no tool bash.' }],
    isError: true,
  })
  expect(await client.callTool({ name: 'ask', arguments: { question: 5 } })).toMatchObject({
    content: [{ text: 'ask was not called: question must be text, not the number 5.' }],
    isError: true,
  })
  expect(calls).toEqual([
    ['ask', { question: 'why' }, true],
    ['delegate', { agent: 'nobody', prompt: 'x' }, false],
  ])
  await client.close()
})

test('only holders of the token get an answer, and anything but a request is refused', async () => {
  await using server = await serve({ tools: ['ask'] })
  const send = async (init: RequestInit, token = server.token): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/mcp`, { method: 'POST', ...init, headers: { authorization: `Bearer ${token}` } })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect((await send({ body: list }, 'wrong')).status).toBe(401)
  expect((await fetch(`http://127.0.0.1:${server.port}/mcp`, { method: 'POST', body: list })).status).toBe(401)
  expect((await send({ method: 'GET' })).status).toBe(405)
  const bad = ['', 'x', '[]', '{"id":{}}', '"text"']
  for (const body of bad) expect((await send({ body })).status, body.slice(0, 20)).toBe(400)
  const large = await send({ body: `{"id":1,"method":"${'x'.repeat(2_000_000)}"}` }).then(
    ({ status }) => status,
    () => 'cut off',
  )
  expect([400, 'cut off']).toContain(large)
  expect((await send({ body: '{"method":"notifications/initialized"}' })).status).toBe(202)
  const listed = await (await send({ body: list })).text()
  expect(listed).toContain('"ask"')
  expect(listed).not.toContain('delegate')
  expect(await (await send({ body: '{"id":1,"method":"resources/list"}' })).text()).toContain('-32601')
})

test('a caller that stops waiting withdraws its call', async () => {
  const ended = Promise.withResolvers<void>()
  await using server = await serve({ called: () => ended.resolve() })
  const body = JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'delegate', arguments: { agent: 'slow', prompt: 'x' } } })
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${server.token}` }
  const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, { method: 'POST', body, headers, signal: gone.signal })
  expect(answer.status).toBe(200)
  gone.abort()
  await ended.promise
})

test('a stream that is refused takes no other request of its connection with it', async () => {
  await using server = await serve()
  const socket = connect(server.port, '127.0.0.1')
  const head = `host: x\r\nauthorization: Bearer ${server.token}\r\n`
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  socket.write(`GET /mcp HTTP/1.1\r\n${head}\r\nPOST /mcp HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`)
  let got = ''
  while (!got.includes('"result"')) {
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
    expect(Buffer.isBuffer(chunk), got).toBe(true)
    got += chunk
  }
  expect(got).toMatch(/^HTTP\/1\.1 405 .*HTTP\/1\.1 200 /s)
  socket.destroy()
})

test('a body in pieces of one byte is read as any other', async () => {
  await using server = await serve()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { name: 'x'.repeat(200_000) } })
  const pieces = Buffer.from([...body].map((each) => `1\r\n${each}\r\n`).join('') + '0\r\n\r\n')
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`POST /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\ntransfer-encoding: chunked\r\n\r\n`)
  // Everything but the end.
  socket.write(pieces.subarray(0, pieces.length - 5))
  socket.write(pieces.subarray(pieces.length - 5))
  let got = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    got += chunk
    if (got.includes('"result"')) break
  }
  expect(got).toContain('HTTP/1.1 200')
})

test('calls of one job are counted, and none is noted or passed on after the thousandth', async () => {
  let calls = 0
  let asked = 0
  await using server = await serve({
    called: () => void calls++,
    company: { ...company, ask: async () => ({ ok: true, text: String(++asked) }) },
  })
  const body = JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'ask', arguments: { question: 'x' } } })
  const send = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${server.token}` }
    return (await fetch(`http://127.0.0.1:${server.port}/mcp`, { method: 'POST', body, headers })).text()
  }
  for (let sent = 0; sent < 1_000; sent += 20) await Promise.all(Array.from({ length: 20 }, send))
  expect(await send()).toContain('1000 times, which is the maximum')
  expect([calls, asked]).toEqual([1_000, 1_000])
})
