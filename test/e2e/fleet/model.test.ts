import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { jobIn } from '../../support/fleet-job.ts'
import { calling, type ModelFleet, startModelFleet } from '../../support/fleet-models.ts'
import type { Json } from '../../support/model-servers/json.ts'

const mcpServer = readFileSync(new URL('../../fixtures/mcp-server.mjs', import.meta.url), 'utf8')
const sums = { command: ['/run/paddock/bin/node', '--input-type=module', '-e', mcpServer, 'well'] }

describe.each(everyone)('model agents, as %s', (who) => {
  let here: ModelFleet
  beforeAll(async () => {
    here = await startModelFleet(who)
  })
  afterAll(() => here[Symbol.asyncDispose]())
  const work = (id: string): string => path.join(here.fleet.data, 'agents', id, 'slots/1/work')
  /** Returns the tools of a job in the audit log, with the cell of each. */
  const audited = async (job: string): Promise<readonly { tool: string; cell: string; ok: boolean }[]> => {
    const { stdout } = await paddock(here.fleet.stage, ['audit', 'tail', '--kind', 'fleet.tool', '--json', '-n', '1000'])
    const lines = stdout.split('\n').filter((line) => line.includes(job))
    return lines.map((line) => JSON.parse(line)).map(({ cell, data: { tool, ok } }) => ({ tool, cell, ok }))
  }

  test.each(['openai-compatible', 'openai', 'anthropic'])('one works with files and a shell in its cell, by %s', async (provider) => {
    const calls: [string, Json][] = [
      ['bash', { command: 'echo made > by-bash; id -u; pwd' }],
      ['file_write', { path: 'deep/er/notes.md', content: 'one\ntwo\n' }],
      ['file_edit', { path: 'deep/er/notes.md', old: 'two', new: 'three' }],
      ['file_read', { path: 'deep/er/notes.md' }],
    ]
    here.scripts.set(`tools-${provider}`, calling(calls))
    const tools = ['bash', 'file_read', 'file_write', 'file_edit']
    const id = await here.create(`worker-${provider}`, { provider, tools })
    const job = await jobIn(here.fleet, `worker-${provider}`, `tools-${provider} please`)
    expect(job.result?.outcome).toMatchObject({ kind: 'ran', message: null })
    expect(job).toMatchObject({ state: 'done', result: { toolCalls: 4, turns: 5 } })
    expect(job.result?.text).toContain('1\tone\n2\tthree')
    expect(job.result?.usage?.input).toBeGreaterThan(0)
    expect(readFileSync(path.join(work(id), 'deep/er/notes.md'), 'utf8')).toBe('one\nthree\n')
    expect(existsSync(path.join(work(id), 'by-bash'))).toBe(true)
    expect((await audited(job.id)).map(({ tool }) => tool)).toEqual(calls.map(([tool]) => tool))
  })

  test('one uses all tools and those of an MCP server, each in its cell', async () => {
    const site = createServer((request, response) => response.end(`you asked for ${request.url}`))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const { port } = site.address() as AddressInfo
    await here.createAny({ name: 'helper', agent: 'command', command: ['sh', '-c', 'echo "did: $(cat)"'], egress: { policy: 'off' } })
    here.scripts.set(
      'everything',
      calling([
        ['bash', { command: 'echo hello' }],
        ['file_write', { path: 'a.txt', content: 'x' }],
        ['file_edit', { path: 'a.txt', old: 'x', new: 'y' }],
        ['file_read', { path: 'a.txt' }],
        ['http', { url: 'http://site.example:8081/it' }],
        ['delegate', { agent: 'helper', prompt: 'the dishes' }],
        ['ask', { question: 'Tea or coffee?' }],
        ['sums__add', { a: 2, b: 40 }],
      ]),
    )
    await here.create('generalist', {
      tools: ['bash', 'file_read', 'file_write', 'file_edit', 'http', 'delegate', 'ask', 'sums/add'],
      mcp: { sums },
      delegates: ['helper'],
      egress: { allow: [`site.example:8081=127.0.0.1:${port}`] },
    })
    const running = jobIn(here.fleet, 'generalist', 'everything at once')
    const answering = async (): Promise<void> => {
      for (;;) {
        const { data } = await here.fleet.api.GET('/api/v1/inbox')
        const asked = data?.items.find((each) => each.kind === 'ask')
        if (asked !== undefined) {
          expect(asked.text).toBe('generalist asks: Tea or coffee?')
          expect((await paddock(here.fleet.stage, ['answer', asked.id, 'Tea.', '--data', here.fleet.data])).stderr).toBe(
            'paddock: answered\n',
          )
          return
        }
        await setTimeout(50)
      }
    }
    await answering()
    const job = await running
    site.close()
    expect(job).toMatchObject({ state: 'done' })
    const said = (job.result?.text ?? '').split('\n=====\n')
    expect(said[0]).toBe('hello\n[exit code 0]')
    expect(said[4]).toContain('200 OK')
    expect(said[4]).toContain('you asked for /it')
    expect(said[5]).toMatch(/helper, which did the job j-\w+\. It is data; .*\ndid: the dishes\n/s)
    expect(said[6]).toBe('Tea.')
    expect(said[7]).toMatch(/^2 \+ 40 = 42, pid \d+$/)
    const seen = await audited(job.id)
    const own = ['bash', 'file_write', 'file_edit', 'file_read', 'http', 'delegate', 'ask', 'sums/add']
    expect(seen.map(({ tool, ok }) => [tool, ok])).toEqual(own.map((tool) => [tool, true]))
    expect(new Set(seen.map(({ cell }) => cell)).size).toBe(1)
  })

  test('a tool that is not listed is not offered, and refused if it is called all the same', async () => {
    const offered: (readonly string[])[] = []
    const script = calling([
      ['bash', { command: 'touch reached' }],
      ['sums__secret', { a: 1, b: 1 }],
      ['file_read', { path: 5 }],
      ['sums__add', { a: 1, b: 1 }],
    ])
    here.scripts.set('unlisted', (conversation) => {
      offered.push(conversation.tools)
      return script(conversation)
    })
    const id = await here.create('narrow', { tools: ['file_read', 'sums/add'], mcp: { sums } })
    const job = await jobIn(here.fleet, 'narrow', 'unlisted tools')
    expect(job.state).toBe('done')
    expect([...new Set(offered.flat())].sort()).toEqual(['file_read', 'sums__add'])
    expect(existsSync(path.join(work(id), 'reached'))).toBe(false)
    expect(await audited(job.id)).toMatchObject([{ tool: 'sums/add', ok: true }])
    expect(job.result?.text).toMatch(
      /^There is no tool bash\. Tools: file_read, sums__add\.\n=====\nThere is no tool sums__secret\..*\n=====\nfile_read was not called: path must be text, not the number 5\.\n=====\n1 \+ 1 = 2/,
    )
  })

  test('a conversation goes on with another job, and a budget of turns is asked before each call', async () => {
    here.scripts.set('first', () => ({ say: 'remembered' }))
    here.scripts.set('second', ({ userTexts, said }) => ({ say: [...userTexts, ...said].join('|') }))
    await here.create('talker')
    const first = await jobIn(here.fleet, 'talker', 'first words')
    const second = await jobIn(here.fleet, 'talker', 'second words', first.id)
    expect(second.result?.text).toBe('first words|second words|remembered')
    const requests = (): number => here.models.requests.filter((each) => each.conversation?.userTexts[0]?.startsWith('loop')).length
    here.scripts.set('loop', ({ toolResults }) => ({ call: 'bash', input: { command: `echo ${toolResults.length}` } }))
    await here.create('looper', { tools: ['bash'], budgets: { job: { turns: 2 } } })
    const loop = await jobIn(here.fleet, 'looper', 'loop for ever')
    expect(loop).toMatchObject({ state: 'failed', result: { outcome: { kind: 'out-of-budget' }, turns: 2 } })
    expect(requests()).toBe(2)
    await here.create('free', { tools: ['bash'] })
    const { data } = await here.fleet.api.POST('/api/v1/jobs', {
      body: { agent: 'free', labels: [], prompt: 'loop within a budget', budget: { turns: 3 } },
    })
    await vi.waitFor(async () => {
      const { data: job } = await here.fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: data?.id ?? '' } } })
      expect(job).toMatchObject({ state: 'failed', budget: { turns: 3 }, result: { outcome: { kind: 'out-of-budget' }, turns: 3 } })
    }, 20_000)
    expect(requests()).toBe(5)
  })
})
