import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

describe.each(everyone)('memory, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
  })
  afterAll(() => fleet[Symbol.asyncDispose]())
  const done = async (agent: string, prompt: string) => {
    const { data } = await fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt } })
    const job = async () => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: data?.id ?? '' } } })).data
    while ((await job())?.endedAt === null) await setTimeout(20)
    return await job()
  }
  const create = (name: string, memory: object) =>
    fleet.api.POST('/api/v1/agents', {
      body: {
        manifest: {
          name,
          agent: 'command',
          // Tries to change its memory, and writes down its prompt and its memory.
          command: ['sh', '-c', 'echo mine >> /memory.md; { cat; cat /memory.md; } > out.md; echo answered'],
          egress: { policy: 'off' },
          memory,
        },
      },
    })

  test('an agent finds its newest jobs in a file that it cannot change; another inherits it; it is forgotten', async () => {
    await create('writer', { last: 2 })
    const agents = async () => (await fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'writer' } } })).data
    const out = path.join(fleet.data, 'agents', (await agents())?.id ?? '', 'slots/1/work/out.md')
    const told = async (prompt: string): Promise<string> => {
      const job = await done('writer', prompt)
      expect([job?.state, job?.result?.text]).toEqual(['done', 'answered'])
      return readFileSync(out, 'utf8')
    }
    // There is nothing to remember yet.
    expect(await told('Think of quinces.')).toBe('Think of quinces.')
    const second = await told('Think of medlars.')
    expect(second).toMatch(
      /^Think of medlars\.\n\n\(Notes on your earlier jobs are in \/memory\.md\.\)\n# What you did before\n\n## 20.*: done\n/,
    )
    expect(second).toContain('\nThink of quinces.\n-----')
    expect(second).toContain('\nanswered\n-----')
    await told('Think of sloes.')
    const fourth = await told('Think of damsons.')
    expect(['quinces', 'medlars', 'sloes', 'mine'].filter((each) => fourth.includes(each))).toEqual(['medlars', 'sloes'])

    await create('heir', { last: 50, inherit: 'writer' })
    const memory = async (agent: string) =>
      (await fleet.api.GET('/api/v1/agents/{agent}/memory', { params: { path: { agent } } })).data?.items ?? []
    expect((await memory('heir')).map(({ prompt, origin }) => [prompt, origin])).toEqual(
      ['damsons', 'sloes', 'medlars', 'quinces'].map((each) => [`Think of ${each}.`, 'writer']),
    )
    const [newest] = await memory('writer')
    const forget = (...words: readonly string[]) => paddock(fleet.stage, ['memory', 'forget', ...words, '--data', fleet.data])
    expect((await forget('writer', newest?.job ?? '')).code).toBe(0)
    expect((await forget('writer', newest?.job ?? '')).code).toBe(2)
    expect((await forget('writer')).code).toBe(2)
    expect((await memory('writer')).map(({ prompt }) => prompt)).toEqual(['sloes', 'medlars', 'quinces'].map((each) => `Think of ${each}.`))
    expect((await forget('writer', '--all')).stdout).toBe('writer has forgotten all of its jobs.\n')
    expect([await memory('writer'), (await memory('heir')).length]).toEqual([[], 4])
    expect((await paddock(fleet.stage, ['memory', 'list', 'heir', '--data', fleet.data])).stdout).toMatch(
      /^JOB +STATE +FROM +ENDED +PROMPT +ANSWER\nj-\w+ +\w+ +writer +20/,
    )
    const unknown = await create('nobodys', { last: 1, inherit: 'nobody' })
    expect(unknown.response.status).toBe(404)
    expect((await fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'nobodys' } } })).response.status).toBe(404)
  })
})
