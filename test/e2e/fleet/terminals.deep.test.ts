import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiClient } from '../../../src/client/api-client.ts'
import { ordinary } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'
import { viewTerminal } from '../../support/terminal-viewer.ts'

describe.each(ordinary)('terminals of agents, as %s', (who) => {
  let fleet: FleetServer
  const tokens = { owner: '', operator: '', viewer: '', borrower: '' }
  let agent = ''
  beforeAll(async () => {
    fleet = await startFleet(who)
    for (const role of Object.keys(tokens) as (keyof typeof tokens)[]) tokens[role] = await fleet.token(role)
    const manifest = { name: 'shell', agent: 'command', command: ['sh', '-c', 'cat > said.txt'], egress: { policy: 'off' as const } }
    agent = (await fleet.api.POST('/api/v1/agents', { body: { manifest } })).data?.id ?? ''
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  const open = async (command: readonly string[] = ['sh'], size = { columns: 80, rows: 24 }): Promise<string> => {
    const { data, error } = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
      params: { path: { agent: 'shell' } },
      body: { command: [...command], size },
    })
    expect(error).toBeUndefined()
    return data?.id ?? ''
  }
  const list = async () => (await fleet.api.GET('/api/v1/sessions')).data?.items ?? []
  const found = async (session: string) => (await list()).find(({ id }) => id === session)
  /** Ends a session without waiting for its shell, which may take some seconds to exit. */
  const end = async (session: string): Promise<void> =>
    expect((await fleet.api.DELETE('/api/v1/sessions/{session}', { params: { path: { session } } })).response.status).toBe(202)
  const view = (session: string, role: keyof typeof tokens = 'operator', query?: string) =>
    viewTerminal(fleet, tokens[role], session, query)

  test("typed commands run in the workspace of the agent's jobs, and a later viewer sees the same", async () => {
    await fleet.api.POST('/api/v1/jobs', { body: { agent: 'shell', labels: [], prompt: 'of a job' } })
    const session = await open()
    const first = await view(session)
    first.type('while ! test -s said.txt; do sleep 0.1; done; cat said.txt; echo "in $((6 * 7)) \\033[31mred\\033[0m"\n')
    await first.sees('in 42')
    expect(await first.shown()).toContain('of a job')
    const second = await view(session)
    await second.sees('in 42')
    first.type('echo li"ve"\n')
    await Promise.all([first.sees('live'), second.sees('live')])
    expect(await second.shown()).toBe(await first.shown())
    expect(await found(session)).toMatchObject({ agent: 'shell', command: ['sh'], viewers: 2 })
    await end(session)
    expect(await first.closed).toBe(4000)
    expect(first.frames.at(-1)).toEqual({ type: 'ended', why: 'It was ended.' })
  })

  test('two terminals of one agent have sixty viewers, and each sees what is typed', async () => {
    const sessions = [await open(), await open()]
    const all = await Promise.all(Array.from({ length: 60 }, (_, n) => view(sessions[n % 2] ?? '', 'viewer')))
    for (const session of sessions) {
      const typist = await view(session)
      typist.type('echo li"ve"\n')
    }
    await Promise.all(all.map((each) => each.sees('live')))
    for (const session of sessions) await end(session)
    expect(new Set(await Promise.all(all.map(({ closed }) => closed)))).toEqual(new Set([4000]))
  })

  test('one viewer types, and the size is its own; a change of the typist is shown to all viewers, and a read-only viewer cannot type', async () => {
    const session = await open(['sh'], { columns: 70, rows: 20 })
    const first = await view(session, 'operator', 'columns=60&rows=15')
    const second = await view(session, 'owner', 'columns=50&rows=10')
    const looks = await view(session, 'viewer', 'takes=true')
    await second.sees('$')
    expect(first.frames[0]).toMatchObject({ type: 'screen', columns: 60, rows: 15, isYou: true })
    expect(second.frames[0]).toMatchObject({ type: 'screen', columns: 60, rows: 15, isYou: false, viewers: 2 })
    second.type('echo by the second\n')
    looks.type('echo by one who looks\n')
    looks.say({ type: 'take' })
    first.type('stty size; echo by the fir"st"\n')
    await second.sees('by the first')
    expect(await second.shown()).toMatch(/15 60/)
    expect(await second.shown()).not.toMatch(/by the second|by one who looks/)
    second.say({ type: 'take' })
    await first.sees('by the first')
    const isTold = (): boolean => first.frames.some((each) => each.type === 'company' && !each.isYou && each.viewers === 3)
    while (!isTold()) await setTimeout(25)
    expect(first.frames).toContainEqual({ type: 'size', columns: 50, rows: 10 })
    second.say({ type: 'size', columns: 44, rows: 11 })
    second.type('stty size\n')
    await first.sees('11 44')
    for (const each of [first, second, looks]) each.socket.close()
    await end(session)
  })

  test('it outlives the server, a job of its agent beside it, and every viewer', async () => {
    const session = await open()
    const before = await view(session)
    before.type('kept=yes; echo rea"dy"\n')
    await before.sees('ready')
    await fleet.replace()
    expect(await before.closed).not.toBe(4000)
    expect(await found(session)).toMatchObject({ viewers: 0, typist: null })
    const after = await view(session)
    await after.sees('ready')
    after.type('echo it is $kept\n')
    await after.sees('it is yes')
    after.type('exit 3\n')
    expect(await after.closed).toBe(4000)
    expect(after.frames.at(-1)).toMatchObject({ why: 'Its program ended with 3.' })
    expect(await found(session)).toBeUndefined()
  })

  test('one whose host process is killed is gone, with its cell', async () => {
    const session = await open()
    const lost = await view(session)
    await lost.sees('$')
    process.kill(fleet.hostOf(agent), 'SIGKILL')
    expect(await lost.closed).toBe(4000)
    while ((await found(session)) !== undefined) await setTimeout(25)
    await expect(view(session)).rejects.toThrow('404')
  })

  test("a program's query to the terminal is answered once, by the typing viewer or else by the server", async () => {
    const session = await open([
      'sh',
      '-c',
      'stty raw -echo; printf "\\033[6n"; head -c 6 | od -c | head -1; printf "\\033[c"; sleep 1; exec cat',
    ])
    const looks = await view(session, 'viewer')
    await looks.sees(/033 +\[ +1 +; +1 +R/)
    await end(session)
  })

  test('a viewer that reads nothing does not stall others, and gets the current screen once it reads again', async () => {
    const session = await open()
    const [reads, stalls] = [await view(session), await view(session, 'viewer')]
    await stalls.sees('$')
    stalls.socket.pause()
    reads.type('yes "a line of many that nobody reads as they come by, all of the same length" | head -n 400000; echo it is $((6 * 7))\n')
    await reads.sees('it is 42')
    stalls.socket.resume()
    await stalls.sees('it is 42')
    reads.type('echo ov"er"\n')
    await stalls.sees('over')
    expect(await stalls.shown()).toBe(await reads.shown())
    expect(stalls.frames.filter(({ type }) => type === 'screen').length).toBeGreaterThan(1)
    await end(session)
  })

  test('a viewer that acknowledges is sent no more than it reads, and one that hands over types no more', async () => {
    const session = await open()
    const [types, reads] = [await view(session), await view(session, 'operator', 'acknowledges=true')]
    let bytes = 0
    reads.socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) bytes += data.length
    })
    types.type('yes "a line of many that nobody acknowledges, all of the same length" | head -n 400000; echo it is $((6 * 7))\n')
    await types.sees('it is 42')
    // Half a mebibyte, and the data in transit when this limit was reached.
    expect(bytes).toBeLessThan(1024 * 1024)
    reads.socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) reads.say({ type: 'taken', bytes: data.length })
    })
    reads.say({ type: 'taken', bytes })
    await reads.sees('it is 42')
    expect(await reads.shown()).toBe(await types.shown())
    types.say({ type: 'release' })
    while (reads.frames.at(-1)?.type !== 'company') await setTimeout(25)
    expect(reads.frames.at(-1)).toMatchObject({ typist: null, isYou: false, mayType: true })
    types.type('echo not by who handed over\n')
    reads.say({ type: 'take' })
    reads.type('echo by who to"ok"\n')
    await types.sees('by who took')
    expect(await types.shown()).not.toContain('not by who')
    await end(session)
  })

  test('a program that reads nothing of what is typed holds up no other terminal, and finds it whole once it reads', async () => {
    const session = await open([
      'sh',
      '-c',
      'stty raw -echo; echo ready; while ! test -e go; do sleep 0.1; done; head -c 100000 | wc -c; exec cat',
    ])
    const first = await view(session)
    await first.sees('ready')
    first.type('x'.repeat(60_000))
    first.type('x'.repeat(40_000))
    const other = await open()
    const second = await view(other)
    second.type('touch go; echo go"ne"\n')
    await second.sees('gone')
    await first.sees('100000')
    await Promise.all([end(session), end(other)])
  })

  test('invalid frames end only their connection, and a revoked token ends it', async () => {
    const session = await open()
    const good = await view(session)
    for (const send of ['{"type":"size","columns":1,"rows":0}', '{"type":"else"}', 'no JSON', '[]']) {
      const bad = await view(session)
      bad.socket.send(send)
      expect(await bad.closed, send).toBe(4000)
    }
    const large = await view(session)
    large.socket.send(Buffer.alloc(300 * 1024))
    await large.closed
    const { data } = await fleet.api.POST('/api/v1/tokens', { body: { name: `gone-${who}`, role: 'operator' } })
    const revoked = await viewTerminal(fleet, data?.token ?? '', session)
    await fleet.api.POST('/api/v1/tokens/{token}/revoke', { params: { path: { token: `gone-${who}` } } })
    expect(await revoked.closed).toBe(4001)
    await expect(view(session, 'borrower')).rejects.toThrow('403')
    await expect(viewTerminal(fleet, 'pdk_wrong', session)).rejects.toThrow('401')
    good.type('echo sti"ll"\n')
    await good.sees('still')
    await end(session)
  })

  test('a program that cannot start, and an agent that is archived, are refused in a sentence', async () => {
    const none = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
      params: { path: { agent: 'shell' } },
      body: { command: ['no-such-program'] },
    })
    expect(none.error ?? none.data).toBeDefined()
    const { data } = await fleet.api.POST('/api/v1/agents', {
      body: { manifest: { name: 'old', agent: 'command', command: ['true'], egress: { policy: 'off' } } },
    })
    await fleet.api.POST('/api/v1/agents/{agent}/archive', { params: { path: { agent: data?.id ?? '' } } })
    const refused = await fleet.api.POST('/api/v1/agents/{agent}/sessions', { params: { path: { agent: data?.id ?? '' } }, body: {} })
    expect(refused.error).toMatchObject({ detail: 'old is archived.' })
  })

  test('a borrower sees only the terminals of its lease, types only if the terms allow it, and loses them with the lease', async () => {
    const others = await open()
    const lend = async (name: string, terminal: 'read' | 'type') => {
      const { data } = await fleet.api.POST('/api/v1/leases', { body: { name: `${name}-${who}`, agent: 'shell', expires: '1h', terminal } })
      const { token = '', lease } = data ?? {}
      return { token, lease, client: apiClient(fleet.url, (request) => fetch(request), token) }
    }
    const [reader, typist] = [await lend('reads', 'read'), await lend('types', 'type')]
    const at = { params: { path: { agent: 'shell' } } }
    expect((await reader.client.POST('/api/v1/agents/{agent}/sessions', { ...at, body: {} })).response.status).toBe(403)
    expect((await typist.client.POST('/api/v1/agents/{agent}/sessions', { ...at, body: { command: ['id'] } })).response.status).toBe(400)
    const { data: lent } = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
      ...at,
      body: { command: ['sh'], lease: `reads-${who}` },
    })
    const id = lent?.id ?? ''
    expect((await reader.client.GET('/api/v1/sessions')).data?.items).toMatchObject([{ id, command: [], lease: `reads-${who}` }])
    expect((await typist.client.GET('/api/v1/sessions')).data?.items).toEqual([])
    expect((await reader.client.GET('/api/v1/sessions/{session}', { params: { path: { session: others } } })).response.status).toBe(404)
    expect((await reader.client.DELETE('/api/v1/sessions/{session}', { params: { path: { session: id } } })).response.status).toBe(403)
    await expect(viewTerminal(fleet, typist.token, id)).rejects.toThrow('404')
    const [owner, looks] = [await view(id), await viewTerminal(fleet, reader.token, id, 'takes=true')]
    looks.say({ type: 'take' })
    looks.type('echo by the borrower\n')
    owner.type('pwd; ls -a | head -3; echo by the owner\n')
    await looks.sees('by the owner')
    expect(await looks.shown()).not.toMatch(/by the borrower|said\.txt/)
    const { data: own } = await typist.client.POST('/api/v1/agents/{agent}/sessions', { ...at, body: {} })
    const types = await viewTerminal(fleet, typist.token, own?.id ?? '')
    expect((await typist.client.POST('/api/v1/agents/{agent}/sessions', { ...at, body: {} })).response.status).toBe(409)
    types.type('typed by the borrower\n')
    await types.sees('typed by the borrower')
    await fleet.api.DELETE('/api/v1/leases/{lease}', { params: { path: { lease: `types-${who}` } } })
    expect(await types.closed).toBe(4001)
    while ((await found(own?.id ?? '')) !== undefined) await setTimeout(50)
    for (const each of [others, id]) await end(each)
  })
})
