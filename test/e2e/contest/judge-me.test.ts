import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { type ContestStage, makeContestStage } from '../../support/contest-stage.ts'
import { comeIn, filesOf, judgedContest, judgeMe, send } from '../../support/own-judging.ts'

interface Pair {
  readonly work: { readonly index: string; readonly data: string }
  readonly someRenamed: boolean
}

/** Answers the next pairs, preferring the higher number. Returns the numbers that were shown as A and B. */
async function answerSome(link: string, session: Readonly<Record<string, string>>, most: number): Promise<readonly string[]> {
  const seen: string[] = []
  let { next } = (await send(link, '/api/v1/judging', { headers: session })).json() as { next: number | null }
  for (; next !== null && seen.length < most; ) {
    const shown = await send(link, `/api/v1/pairs/${next}`, { headers: session })
    expect(shown.text).not.toMatch(/quokka|numbat|bilby/)
    const files = filesOf((shown.json() as unknown as Pair).work)
    expect(Object.keys(files)).toEqual(['A', 'B'])
    expect(JSON.stringify(files)).not.toMatch(/quokka|numbat|bilby/)
    const [a, b] = [files['A']?.['answer']?.trim() ?? '', files['B']?.['answer']?.trim() ?? '']
    const body = { better: a > b ? 'A' : 'B', why: `A has ${a}.` }
    const answer = await send(link, `/api/v1/pairs/${next}/answer`, { method: 'PUT', headers: session, body })
    expect(answer.status).toBe(200)
    seen.push(`${a}${b}`)
    next = answer.json()['next'] as number | null
  }
  return seen
}

const reportOf = async (on: ContestStage) =>
  JSON.parse((await on.run('report', '--json')).stdout) as { you: unknown; ranking: { name: string }[] }

test.each(everyone)(
  'you judge blind in both orders, kill -9 loses no answer, and the report shows how much each judge agrees with you, as %s',
  async (who) => {
    using on = await judgedContest(who)
    const once = await judgeMe(on)
    expect(once).toMatchObject({ answered: 0, of: 6 })
    const first = await answerSome(once.link, await comeIn(once.link), 4)
    await once.kill()
    expect(await reportOf(on)).toMatchObject({ you: { answered: 4, of: 6 } })

    const again = await judgeMe(on)
    expect(again).toMatchObject({ answered: 4, of: 6 })
    const session = await comeIn(again.link)
    // Answered pairs can be viewed and changed. Pairs after the next one cannot be viewed.
    expect((await send(again.link, '/api/v1/pairs/4', { headers: session })).json()).toMatchObject({
      answer: { why: expect.stringMatching(/^A has \d\.$/) },
    })
    expect((await send(again.link, '/api/v1/pairs/6', { headers: session })).status).toBe(404)
    expect(
      (await send(again.link, '/api/v1/pairs/6/answer', { method: 'PUT', headers: session, body: { better: 'A', why: null } })).status,
    ).toBe(404)
    const seen = [...first, ...(await answerSome(again.link, session, 6))]
    expect(seen.toSorted()).toEqual(['13', '15', '31', '35', '51', '53'])
    // The two orders of a pair do not follow each other.
    for (const [index, each] of seen.slice(1).entries()) expect(each).not.toBe([...(seen[index] ?? '')].reverse().join(''))

    const { code, last, stderr } = await again.end()
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(last).toEqual({
      schemaVersion: 1,
      answered: 6,
      of: 6,
      consistent: 3,
      agreement: [
        { judge: 'likes', n: 3, agreed: 3, tooFew: true, kappa: 1 },
        { judge: 'dislikes', n: 3, agreed: 0, tooFew: true, kappa: -1 },
      ],
    })
    const before = (await reportOf(on)).ranking
    expect((await reportOf(on)).you).toMatchObject({ answered: 6, of: 6, compared: 3, consistent: 3 })
    const { stdout } = await on.run('report')
    expect(stdout).toContain('You gave 6 of 6 answers. You judged 3 of 3 pairs alike in both orders.')
    expect(stdout).toContain('  likes agrees with you: in 3 of 3 comparisons (100%), too few to tell')
    expect(on.read('report/leaderboard.md')).toContain('| dislikes | in 0 of 3 comparisons (0%), too few to tell | -1.00 | 3 |')
    expect(on.read('report/report.html')).toContain('in 0 of 3 comparisons (0%), too few to tell')

    // All pairs are answered, so the command exits at once.
    const done = await paddock(on.stage, ['contest', 'judge', '--me', on.contest])
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('likes agrees with you') })
    // Other judgings and steps do not change the user's judging, and it has no effect on the ranking.
    for (const [step, ...args] of [['status'], ['rejudge', '--quiet'], ['resume', '--quiet'], ['clean'], ['prune', '--all']] as const)
      expect(await on.run(step, ...args), step).toMatchObject({ code: 0 })
    expect((await reportOf(on)).you).toMatchObject({ answered: 6, of: 6, agreement: [{ agreed: 3 }, { agreed: 0 }] })
    expect((await reportOf(on)).ranking.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    const out = path.join(on.stage.root, 'handed-on')
    expect(await on.run('archive', '--format', 'dir', '--out', out)).toMatchObject({ code: 0 })
    expect(readdirSync(path.join(out, 'judging/you/1')).toSorted()).toEqual(['mapping.json', 'tasks'])

    // A new round starts without answers: those of the old round are removed with it.
    expect(await on.run('run', '--fresh', '--quiet')).toMatchObject({ code: 0 })
    expect((await reportOf(on)).you).toBeNull()
    const fresh = await judgeMe(on)
    expect(fresh).toMatchObject({ answered: 0, of: 6 })
    fresh.interrupt()
    expect(await fresh.end()).toMatchObject({ code: 130, last: { answered: 0, of: 6, agreement: null } })
    expect(existsSync(path.join(on.contest, 'judging/you/1'))).toBe(true)
    expect(await on.run('prune', '--all')).toMatchObject({ code: 0 })
    expect(readdirSync(path.join(on.contest, 'judging/you'))).toEqual(['2'])
  },
)

test.each(everyone)('the page lets in the link once, and no other host, origin or site, as %s', async (who) => {
  using on = await judgedContest(who)
  const { link, interrupt, end } = await judgeMe(on)
  const { host } = new URL(link)
  const page = await send(link, '/')
  expect(page.status).toBe(200)
  expect(page.text).not.toMatch(/quokka|numbat|bilby|Write answer/)
  expect(page.headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  const code = new URL(link).hash.slice(1)
  const start = { method: 'POST', body: { code } }
  for (const [headers, why] of [
    [{ host: 'rebound.example' }, 'HOST_NOT_ALLOWED'],
    [{ host: `rebound.example:${host.split(':')[1]}` }, 'HOST_NOT_ALLOWED'],
    [{ origin: 'https://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
    [{ origin: 'null' }, 'ORIGIN_NOT_ALLOWED'],
    [{ 'sec-fetch-site': 'cross-site' }, 'ORIGIN_NOT_ALLOWED'],
  ] as const)
    expect((await send(link, '/api/v1/session', { ...start, headers })).json(), JSON.stringify(headers)).toMatchObject({
      status: 403,
      code: why,
    })
  expect((await send(link, '/', { headers: { host: 'rebound.example' } })).status).toBe(403)
  expect(await send(link, '/api/v1/session', { method: 'POST', body: { code: 'wrong' } })).toMatchObject({ status: 401 })
  const closed = ['/api/v1/judging', '/api/v1/pairs/1'] as const
  for (const each of closed) expect((await send(link, each)).status).toBe(401)
  // An upgrade request also gets an answer, but no connection.
  const upgraded = await new Promise<string>((resolve, reject) => {
    let all = ''
    const socket = connect(Number(host.split(':')[1]), '127.0.0.1', () =>
      socket.write(
        `GET /api/v1/judging HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      ),
    )
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk
      if (all.includes('\r\n\r\n')) socket.destroy()
    })
    socket.once('error', reject).once('close', () => resolve(all))
  })
  expect(upgraded).toMatch(/^HTTP\/1\.1 401 /)

  const session = await comeIn(link)
  expect((await send(link, '/api/v1/session', start)).status).toBe(401)
  for (const each of closed) expect((await send(link, each, { headers: session })).status).toBe(200)
  // Another server on this machine receives the cookie, but not the other half.
  expect((await send(link, '/api/v1/judging', { headers: { cookie: session['cookie'] ?? '' } })).status).toBe(401)
  const put = { method: 'PUT', body: { better: 'A', why: null } }
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { host: 'rebound.example' }])
    expect((await send(link, '/api/v1/pairs/1/answer', { ...put, headers: { ...session, ...headers } })).status).toBe(403)
  for (const body of [
    { better: 'C', why: null },
    { better: 'A' },
    { better: 'A', why: 'x'.repeat(20_001) },
    { better: 'A', why: null, more: 1 },
    [],
  ])
    expect((await send(link, '/api/v1/pairs/1/answer', { method: 'PUT', headers: session, body })).status).toBe(400)
  expect((await send(link, '/api/v1/judging', { headers: session })).json()).toMatchObject({ answered: 0 })

  const second = await paddock(on.stage, ['contest', 'judge', '--me', on.contest])
  expect(second).toMatchObject({ code: 125, stdout: '', stderr: expect.stringContaining('is in use by paddock contest judge --me') })
  interrupt()
  expect(await end()).toMatchObject({ code: 130, stderr: '' })
  expect(readdirSync(path.join(on.stage.env['PADDOCK_HOME'] ?? '', 'state/scratch'))).toEqual([])
})

test.each(everyone)('a contest that cannot be judged is refused in one sentence, as %s', async (who) => {
  using on = makeContestStage(who, { one: 'echo 1 > answer', two: 'true' })
  const me = (...args: readonly string[]) => paddock(on.stage, ['contest', 'judge', on.contest, ...args])
  expect(await me('--me')).toMatchObject({ code: 2, stderr: expect.stringContaining('was never run') })
  expect(await on.run('run', '--quiet')).toMatchObject({ code: 0 })
  expect(await me('--me')).toMatchObject({ code: 2, stderr: expect.stringContaining('has 1 sealed in this round, and a pair needs two') })
  expect(await me('--port', '0')).toMatchObject({ code: 2, stderr: expect.stringContaining('--port requires --me.') })
  on.put('contest.yaml', readFileSync(path.join(on.contest, 'contest.yaml'), 'utf8').replace('"one"', '"you"'))
  expect(await on.run('lint')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is you, which is the judge of paddock contest judge --me'),
  })
})

test.each(everyone)('a participant that starts from a project shows its changes, and with redact no agent is named, as %s', async (who) => {
  const change = (to: string): string => `sed -i 's/two/${to}/' text; echo 'Written by claude' > note; rm gone`
  using on = makeContestStage(
    who,
    { quokka: change('three'), numbat: change('four') },
    {},
    { start: 'base', judging: { identity: 'redact' } },
  )
  for (const [file, text] of [
    ['text', 'one\ntwo\n'],
    ['gone', 'x\n'],
    ['same', 'same\n'],
  ] as const)
    on.put(`base/${file}`, text)
  on.put(
    'contest.yaml',
    on.read('contest.yaml').replace(/"checks":\[[^\]]*\]\}\]/, '"checks":[{"name":"there","command":["test","-f","text"]}]'),
  )
  expect(await on.run('run', '--quiet')).toMatchObject({ code: 0 })
  const { link, of } = await judgeMe(on)
  expect(of).toBe(2)
  const shown = await send(link, '/api/v1/pairs/1', { headers: await comeIn(link) })
  expect(shown.json()).toMatchObject({ changes: '(changes).diff' })
  const files = filesOf((shown.json() as unknown as Pair).work)
  expect(
    Object.values(files)
      .map((each) => each['text'])
      .toSorted(),
  ).toEqual(['one\nfour\n', 'one\nthree\n'])
  for (const each of Object.values(files)) {
    expect(Object.keys(each).toSorted()).toEqual(['(changes).diff', 'note', 'same', 'text'])
    expect(each['(changes).diff']).toMatch(/^-two$/m)
    expect(JSON.stringify(each)).not.toMatch(/claude|quokka|numbat/)
  }
})

test.each(everyone)(
  'after other work was sealed, pairs of the rest keep their answers; contest clean leaves alone what is shown, as %s',
  async (who) => {
    using on = await judgedContest(who)
    const once = await judgeMe(on)
    const session = await comeIn(once.link)
    await answerSome(once.link, session, 6)
    expect((await once.end()).code).toBe(0)
    on.put('contest.yaml', on.read('contest.yaml').replace('echo 3 > answer', 'echo 4 > answer'))
    expect(await on.run('run', '--quiet', '--retry', '--only', 'numbat')).toMatchObject({ code: 0 })
    expect((await reportOf(on)).you).toMatchObject({ answered: 2, of: 2, compared: 1 })
    const again = await judgeMe(on)
    expect(again).toMatchObject({ answered: 2, of: 6 })
    expect(await on.run('clean')).toMatchObject({ code: 0 })
    expect((await answerSome(again.link, await comeIn(again.link), 6)).toSorted()).toEqual(['14', '41', '45', '54'])
    expect(await again.end()).toMatchObject({ code: 0, last: { answered: 6, consistent: 3 } })
  },
)

test.each(everyone)('a port that is taken, or is none, is refused by its option, as %s', async (who) => {
  using on = await judgedContest(who)
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  try {
    const refused = await paddock(on.stage, ['contest', 'judge', '--me', '--port', String(port), on.contest])
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`--port ${port}: the page cannot be served there.`),
    })
    const wrong = await paddock(on.stage, ['contest', 'judge', '--me', '--port', '65536', on.contest])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--port 65536: a port is a number from 0 to 65535.') })
  } finally {
    await new Promise((resolve) => taken.close(resolve))
  }
})
