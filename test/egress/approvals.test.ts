import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../src/audit/event.ts'
import type { ApprovalQuestion } from '../../src/egress/approvals/approval.ts'
import type { OpenQuestion } from '../../src/egress/approvals/approval-schema.ts'
import { type ApprovalsOptions, openApprovals } from '../../src/egress/approvals/approver.ts'
import { askable, keyOf } from '../../src/egress/approvals/asked.ts'
import { OpenQuestions } from '../../src/egress/approvals/open-questions.ts'
import { rememberedAnswers } from '../../src/egress/approvals/remembered.ts'
import { temporary } from '../support/temporary.ts'

const never = new AbortController().signal
const push: ApprovalQuestion = {
  cell: 'c0ffee',
  cellName: 'run claude',
  host: 'forge.example',
  port: 443,
  request: { method: 'POST', path: '/repo.git/git-receive-pack' },
  source: 'git-push',
}

async function desk(more: Partial<ApprovalsOptions> = {}) {
  const at = await temporary()
  const events: AuditEvent[] = []
  const options = {
    stateDirectory: at.at('state'),
    configDirectory: at.at('config'),
    audit: (event: AuditEvent) => void events.push(event),
    ...more,
  }
  const { approve, close } = openApprovals(options)
  const store = new OpenQuestions(at.at('state'))
  const open = async (count: number): Promise<readonly OpenQuestion[]> => {
    for (;;) {
      const found = await store.list()
      if (found.length === count) return found
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const files = (): string[] => ['pending', 'answers'].flatMap((each) => readdirSync(at.at('state', 'approvals', each)))
  return { at, events, approve, close, store, open, files, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

describe('a question', () => {
  test('asked by many at once is one, and its answer is theirs', async () => {
    await using d = await desk()
    const answers = Promise.all(Array.from({ length: 50 }, () => d.approve(push, never)))
    const [question] = await d.open(1)
    expect(question).toMatchObject({ host: 'forge.example', port: 443, request: push.request, cellName: 'run claude', source: 'git-push' })
    const file = d.at.at('state', 'approvals', 'pending', `${question?.id}.json`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(d.at.at('state', 'approvals', 'pending'))).mode & 0o777).toBe(0o700)
    await d.store.answer(question?.id ?? '', { allowed: true, scope: 'cell' })
    expect(new Set((await answers).map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"allowed":true,"scope":"cell","by":"command"}']),
    )
    expect(d.files()).toEqual([])
    expect(d.events.map(({ kind, data }) => [kind, data['id'] === question?.id, data['allowed']])).toEqual([
      ['approval.asked', true, undefined],
      ['approval.answered', true, true],
    ])
  })

  test('that is answered for once lets one of many through, and the others ask again', async () => {
    await using d = await desk()
    let through = 0
    const all = Array.from({ length: 5 }, () => d.approve(push, never).then(({ allowed }) => (allowed ? through++ : null)))
    for (let each = 1; each <= 3; each++) {
      const [question] = await d.open(1)
      await d.store.answer(question?.id ?? '', { allowed: true, scope: 'once' })
      while (through < each) await new Promise((resolve) => setTimeout(resolve, 5))
      await d.open(1)
      expect(through).toBe(each)
    }
    const [question] = await d.open(1)
    await d.store.answer(question?.id ?? '', { allowed: false, scope: 'once' })
    await Promise.all(all)
    expect(through).toBe(3)
  })

  test('tells requests apart by their whole query, which is shown and never logged or kept', async () => {
    const shown: string[] = []
    const ask = async ({ request }: OpenQuestion) => {
      shown.push(request?.queryShown ?? '')
      return { allowed: true, scope: 'always' as const }
    }
    await using d = await desk({ terminal: { ask } })
    const request = (query: string) => ({ ...push, request: { method: 'POST', path: '/x', query } })
    const long = `?key=${'s'.repeat(300)}`
    for (const each of ['', '?secret=1', '?secret=2', '?secret=2', `${long}1`, `${long}2`]) await d.approve(request(each), never)
    expect(shown).toEqual(['', '?secret=1', '?secret=2', ...['1', '2'].map(() => `${long.slice(0, 200)}[+106 more]`)])
    expect(JSON.stringify(d.events) + readFileSync(d.at.at('config', 'approvals.json'), 'utf8')).not.toMatch(/secret|sss/)
  })

  test('about a path that is too long to read is a no, and is not cut', async () => {
    const terminal = { ask: async () => ({ allowed: true, scope: 'cell' as const }) }
    await using d = await desk({ terminal })
    const request = (length: number) => ({ ...push, request: { method: 'POST', path: `/${'a'.repeat(length - 1)}` } })
    expect(await d.approve(request(1_000), never)).toMatchObject({ allowed: true })
    expect(await d.approve(request(1_001), never)).toEqual({ allowed: false, scope: 'once', by: 'unreadable' })
    expect(d.events.at(-1)?.data).toMatchObject({ by: 'unreadable', request: { length: 1_001 } })
  })

  test('no answer counts as a no, and a later answer gets that result', async () => {
    await using d = await desk({ timeoutMs: 1_500 })
    const asked = d.approve(push, never)
    const [question] = await d.open(1)
    expect(await asked).toEqual({ allowed: false, scope: 'once', by: 'time' })
    await expect(d.store.answer(question?.id ?? '', { allowed: true, scope: 'always' })).rejects.toThrow(/^There is no open question/)
    await expect(d.store.answer('../../x', { allowed: true, scope: 'once' })).rejects.toThrow(/is not the id of a question/)
    expect(d.files()).toEqual([])
    expect(rememberedAnswers(d.at.at('config'))).toEqual([])
  })

  test('is withdrawn when all who wait are gone, not before', async () => {
    await using d = await desk()
    const [one, two] = [new AbortController(), new AbortController()]
    const [first, second] = [d.approve(push, one.signal), d.approve(push, two.signal)]
    const [question] = await d.open(1)
    one.abort()
    expect(await first).toMatchObject({ allowed: false, by: 'end' })
    expect((await d.store.list()).map(({ id }) => id)).toEqual([question?.id])
    two.abort()
    expect(await second).toMatchObject({ allowed: false, by: 'end' })
    await d.open(0)
    expect(await d.approve(push, AbortSignal.abort())).toMatchObject({ by: 'end' })
  })

  test('of one cell beyond so many is a no; other cells still ask', async () => {
    await using d = await desk({ maxPending: 3 })
    const asked = Array.from({ length: 3 }, (_, each) => d.approve({ ...push, port: 1000 + each }, never))
    expect(await d.approve(push, never)).toMatchObject({ allowed: false, by: 'room' })
    const other = d.approve({ ...push, cell: 'other' }, never)
    await d.open(4)
    d.close()
    expect(await Promise.all([...asked, other])).toMatchObject(Array.from({ length: 4 }, () => ({ allowed: false, by: 'end' })))
  })

  test('a flood of them is counted, not written, in the audit log', async () => {
    await using d = await desk({ maxPending: 0 })
    for (let each = 0; each < 5_000; each++) await d.approve({ ...push, port: 1 + each }, never)
    expect(d.events.length).toBeLessThan(3_000)
  })

  test.each(['terminal', 'command'] as const)('has one answer, though many give one at the same moment (%s)', async (by) => {
    const terminal = { ask: async () => ({ allowed: false, scope: 'once' as const }) }
    await using d = await desk(by === 'terminal' ? { terminal } : {})
    for (let round = 0; round < 10; round++) {
      const asked = d.approve(push, never)
      let id = ''
      while (id === '') id = (await d.store.list().catch(() => []))[0]?.id ?? (by === 'terminal' ? 'ffffffff' : '')
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => d.store.answer(id, { allowed: true, scope: 'once' })))
      const won = tries.filter((each) => each.status === 'fulfilled').length
      const answer = await asked
      expect(won).toBe(answer.allowed ? 1 : 0)
      if (by === 'command') expect(answer).toEqual({ allowed: true, scope: 'once', by })
      for (const each of tries)
        if (each.status === 'rejected')
          expect(String(each.reason.message)).toMatch(/^(Question .* has been answered already|There is no open question)/)
    }
  })

  test('of a process that is gone is removed, and cannot be answered', async () => {
    await using d = await desk()
    const asked = d.approve(push, never)
    const [question] = await d.open(1)
    const stale = (id: string): void =>
      writeFileSync(
        d.at.at('state', 'approvals', 'pending', `${id}.json`),
        JSON.stringify({ ...question, id, asker: { pid: process.pid, started: 'before' } }),
      )
    stale('00000001')
    await expect(d.store.answer('00000001', { allowed: true, scope: 'once' })).rejects.toThrow('the run that asked is over')
    stale('00000002')
    writeFileSync(d.at.at('state', 'approvals', 'pending', '00000003.json'), '{"torn')
    expect((await d.store.list()).map(({ id }) => id)).toEqual([question?.id])
    expect(existsSync(d.at.at('state', 'approvals', 'pending', '00000002.json'))).toBe(false)
    d.close()
    await asked
  })
})

describe('an answer', () => {
  test('for the cell holds for exactly this question of this cell', async () => {
    await using d = await desk()
    const asked = d.approve(push, never)
    await d.store.answer((await d.open(1))[0]?.id ?? '', { allowed: true, scope: 'cell' })
    expect(await asked).toEqual({ allowed: true, scope: 'cell', by: 'command' })
    expect(await d.approve(push, never)).toEqual({ allowed: true, scope: 'cell', by: 'remembered' })
    const others = [
      { cell: 'other' },
      { host: 'other.example' },
      { port: 80 },
      { request: null },
      { request: { method: 'PUT', path: '/repo.git/git-receive-pack' } },
      { request: { method: 'POST', path: '/repo.git/git-receive-pack?' } },
    ].map((each) => d.approve({ ...push, ...each }, never))
    await d.open(others.length)
    d.close()
    expect((await Promise.all(others)).every((each) => !each.allowed)).toBe(true)
  })

  test.each([true, false])('for always (%s) is kept for every process', async (allowed) => {
    await using d = await desk()
    const asked = d.approve(push, never)
    await d.store.answer((await d.open(1))[0]?.id ?? '', { allowed, scope: 'always' })
    await asked
    const next = openApprovals({ stateDirectory: d.at.at('state'), configDirectory: d.at.at('config'), audit: () => undefined })
    expect(await next.approve({ ...push, cell: 'next' }, never)).toMatchObject({ allowed, by: 'remembered' })
    expect(rememberedAnswers(d.at.at('config'))).toMatchObject([{ host: 'forge.example', port: 443, request: push.request, allowed }])
    expect((await stat(d.at.at('config', 'approvals.json'))).mode & 0o777).toBe(0o600)
  })

  test('that cannot be kept holds for the cell, and a file that is not ours stays as it is', async () => {
    await using d = await desk()
    await mkdir(d.at.at('config'))
    writeFileSync(d.at.at('config', 'approvals.json'), '{"mine":true}')
    const asked = d.approve(push, never)
    await d.store.answer((await d.open(1))[0]?.id ?? '', { allowed: true, scope: 'always' })
    expect(await asked).toMatchObject({ allowed: true })
    expect(await d.approve(push, never)).toMatchObject({ allowed: true, by: 'remembered' })
    expect(readFileSync(d.at.at('config', 'approvals.json'), 'utf8')).toBe('{"mine":true}')
    expect(d.events.at(1)?.data).toMatchObject({ scope: 'always', kept: false })
  })
})

test('shown text is visible ASCII, and different values look different', () => {
  const question = fc.record({
    host: fc.constantFrom('a.example', 'A.example', 'а.example', '\u202ea.example', 'a\n.example'),
    method: fc.string(),
    path: fc.string({ unit: 'binary' }),
  })
  fc.assert(
    fc.property(question, question, (a, b) => {
      const [one, two] = [a, b].map(({ host, method, path }) => askable({ ...push, host, request: { method, path } }))
      for (const each of [one, two]) if (each) expect(JSON.stringify([each.host, each.request])).toMatch(/^[ -~]*$/)
      if (one && two && a.host === b.host && a.method === b.method && a.path.isWellFormed() && /^[!-~]*$/.test(a.path + b.path))
        expect(keyOf(one) === keyOf(two)).toBe(a.path === b.path)
    }),
  )
  expect(askable({ ...push, host: 'аpple.example' })).toBeNull()
  expect(askable({ ...push, request: { method: 'GET', path: `/${'a'.repeat(5_000)}` } })).toBeNull()
})
