import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { jobIn } from '../../support/fleet-job.ts'
import { startFleet } from '../../support/fleet-server.ts'

const script = readFileSync(path.join(import.meta.dirname, '../../fixtures/acp-agent.mjs'), 'base64')

test.each(everyone)('an agent of a fleet that speaks ACP does jobs, and has no conversation that goes on, as %s', async (who) => {
  await using fleet = await startFleet(who)
  const manifest = {
    name: 'speaks',
    agent: 'acp',
    command: ['node', '--input-type=module', '-e', `await import('data:text/javascript;base64,${script}')`],
  }
  expect((await fleet.api.POST('/api/v1/agents', { body: { manifest } })).error).toBeUndefined()
  const job = await jobIn(fleet, 'speaks', 'Write answer.txt.')
  expect(job).toMatchObject({
    state: 'done',
    conversation: null,
    result: { outcome: { kind: 'ran' }, costUsd: 0.25, changes: { created: ['answer.txt'] } },
  })
  const params = { path: { job: job.id }, header: {} }
  const more = await fleet.api.POST('/api/v1/jobs/{job}/continue', { params, body: { prompt: 'More.' } })
  expect(more.error).toMatchObject({ code: 'CONFLICT' })
  const without = await fleet.api.POST('/api/v1/agents', { body: { yaml: '{name: lacks, agent: acp}' } })
  expect(without.error).toMatchObject({ code: 'BAD_INPUT', detail: expect.stringContaining('command is missing') })
})
