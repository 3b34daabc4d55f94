import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startFleet } from '../support/fleet-server.ts'

const jobs = 200
const kills = 10

test('of many jobs, given while the server is killed again and again, each runs exactly once', async () => {
  await using fleet = await startFleet()
  const created = await fleet.api.POST('/api/v1/agents', {
    body: { yaml: "{name: count, agent: command, command: [sh, -c, 'cat >> all.txt'], egress: {policy: off}}" },
  })
  const give = async (index: number): Promise<void> => {
    for (;;) {
      // Without an answer it is unknown whether the job was accepted. Its key makes it safe to ask again.
      const given = await fleet.api
        .POST('/api/v1/jobs', {
          params: { header: { 'idempotency-key': `job-${index}` } },
          body: { agent: 'count', labels: [], prompt: `${index}\n` },
        })
        .catch(() => null)
      if (given?.response.status === 202) return
      await setTimeout(50)
    }
  }
  const giving = (async () => {
    for (let index = 0; index < jobs; index += 1) await give(index)
  })()
  for (let each = 0; each < kills; each += 1) {
    await setTimeout(Math.random() * 1500)
    await fleet.replace()
  }
  await giving
  const states = new Map<string, number>()
  for (;;) {
    states.clear()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: { limit: number; cursor?: string } = { limit: 200, ...(cursor === '' ? {} : { cursor }) }
      const { data } = await fleet.api.GET('/api/v1/jobs', { params: { query } })
      for (const { state } of data?.items ?? []) states.set(state, (states.get(state) ?? 0) + 1)
      cursor = data?.next ?? null
    }
    if ((states.get('queued') ?? 0) + (states.get('running') ?? 0) === 0) break
    await setTimeout(250)
  }
  expect([...states]).toEqual([['done', jobs]])
  const work = path.join(fleet.data, 'agents', created.data?.id ?? '', 'slots/1/work/all.txt')
  const ran = readFileSync(work, 'utf8').trim().split('\n').map(Number)
  expect(ran).toEqual(Array.from({ length: jobs }, (_, index) => index))
})
