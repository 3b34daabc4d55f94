import { expect, test } from 'vitest'
import { ownProcess } from '../../src/server/own-process.ts'
import { bearer, testServer } from '../support/test-server.ts'

const program = [process.execPath, '-e', "process.stdin.on('end', () => console.log('{}')).resume()", '--']

test('viewers who ask for too much get BUSY, and the owner gets an answer meanwhile', async () => {
  const command = ownProcess(program, process.env)
  await using server = await testServer({
    routes: (app) => void app.post('/api/v1/look', { config: { role: 'viewer' } }, () => command([])),
  })
  const other = server.tokens.create({ name: 'other', role: 'viewer', expiresAt: null }).secret
  // The sessions of one token together have one share.
  const started = await server.ask('/api/v1/session', { body: { token: server.secrets.viewer } })
  const session = { cookie: (started.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '', 'x-paddock-session': started.json.half }
  const statuses: number[] = []
  const look = async (headers: Readonly<Record<string, string>>): Promise<void> => {
    statuses.push((await server.ask('/api/v1/look', { headers, body: {} })).status)
  }
  const floods = [bearer(server.secrets.viewer), session, bearer(other)].flatMap((each) => Array.from({ length: 60 }, () => look(each)))
  while (!statuses.includes(503)) await new Promise((resolve) => setImmediate(resolve))
  for (let round = 0; round < 3; round++)
    expect((await server.ask('/api/v1/look', { headers: bearer(server.secrets.owner), body: {} })).status).toBe(200)
  const meanwhile = statuses.filter((each) => each === 200).length
  await Promise.all(floods)
  expect(statuses.filter((each) => each === 200).length).toBeGreaterThan(meanwhile)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  const busy = server
    .logged()
    .split('\n')
    .filter((line) => line.includes('503'))
  expect(busy.length).toBeGreaterThan(0)
  expect(server.logged()).not.toContain('"stack"')
})
