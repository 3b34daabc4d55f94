import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { agentDoing } from '../../../src/fleet/agents/agent-activity.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'

test('an agent is starting from the claim of its job until its transcript is opened', async () => {
  using store = await openTestStore()
  const data = fleetData(path.join(store.root, 'data'))
  const agent = store.agents.create({ name: 'one', agent: 'command', command: ['true'] } as never, null)
  const isStarting = async () => (await agentDoing(agent, { jobs: store.jobs, usage: store.usage, data })).isStarting
  expect(await isStarting()).toBe(false)
  const { job } = store.jobs.put({ ...plainJob, agent: agent.id })
  expect(await isStarting()).toBe(false)
  store.jobs.claim({ id: agent.id, labels: [], adapter: 'command' }, [])
  expect(await isStarting()).toBe(true)
  const { transcript } = data.agent(agent.id).job(job.id)
  mkdirSync(path.dirname(transcript), { recursive: true })
  writeFileSync(transcript, '')
  expect(await isStarting()).toBe(false)
  writeFileSync(transcript, '{"n":1,"at":"2026-01-01T00:00:00Z","type":"text","text":"hello"}\n')
  expect(await isStarting()).toBe(false)
})
