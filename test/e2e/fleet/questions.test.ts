import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiClient } from '../../../src/client/api-client.ts'
import { paddock } from '../../support/cli.ts'
import { endOf, jobIn } from '../../support/fleet-job.ts'
import { calling, type ModelFleet, startModelFleet } from '../../support/fleet-models.ts'

let here: ModelFleet
beforeAll(async () => {
  here = await startModelFleet()
})
afterAll(() => here[Symbol.asyncDispose]())

const give = async (agent: string, prompt: string): Promise<string> => {
  const { data } = await here.fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt } })
  return data?.id ?? ''
}
/** Resolves to the question of a job once it is waiting. */
const asked = async (job: string) => {
  for (;;) {
    const { data } = await here.fleet.api.GET('/api/v1/inbox')
    const found = data?.items.find((each) => each.job === job && (each.kind === 'ask' || each.kind === 'tool'))
    if (found !== undefined) return found
    await setTimeout(50)
  }
}
const clientOf = async (role: string) => {
  const token = await here.fleet.token(role)
  return apiClient(here.fleet.url.replace(/\/$/, ''), (request) => fetch(request), token)
}
const answer = (id: string, ...words: readonly string[]) => paddock(here.fleet.stage, ['answer', id, ...words, '--data', here.fleet.data])

test('a held tool call is made only after an approval; the first answer counts, and none counts after the end', async () => {
  here.scripts.set(
    'held',
    calling([
      ['bash', { command: 'touch allowed' }],
      ['bash', { command: 'touch denied' }],
      // A call that a human cannot see in full is not asked about.
      ['bash', { command: `true ${' '.repeat(9_000)}; touch denied` }],
    ]),
  )
  const id = await here.create('careful', { tools: ['ask bash'] })
  const work = path.join(here.fleet.data, 'agents', id, 'slots/1/work')
  const job = await give('careful', 'held calls')
  const first = await asked(job)
  expect(first).toMatchObject({ kind: 'tool', agent: 'careful', text: 'careful wants to call bash {"command":"touch allowed"}' })
  expect(first.hint).toBe(`paddock answer ${first.id} allow, or deny`)
  expect(existsSync(path.join(work, 'allowed'))).toBe(false)
  expect((await answer(first.id, 'perhaps')).stderr).toContain('perhaps is not an answer.')
  const viewer = await clientOf('viewer')
  const operator = await clientOf('operator')
  const params = { path: { id: first.id } }
  expect((await viewer.POST('/api/v1/inbox/{id}/answer', { params, body: { allowed: true } })).response.status).toBe(403)
  const both = await Promise.all([1, 2].map(() => operator.POST('/api/v1/inbox/{id}/answer', { params, body: { allowed: true } })))
  expect(both.map(({ response }) => response.status).sort()).toEqual([200, 409])
  expect(both.find(({ error }) => error !== undefined)?.error).toMatchObject({ detail: expect.stringMatching(/ answered it before\.$/) })

  let second = await asked(job)
  while (second.id === first.id) second = await asked(job)
  // The question is asked on the next server, too.
  await here.fleet.replace()
  expect((await asked(job)).id).toBe(second.id)
  expect((await answer(second.id, 'deny')).stderr).toBe('paddock: denied\n')
  const ended = await endOf(here.fleet, job)
  expect([existsSync(path.join(work, 'allowed')), existsSync(path.join(work, 'denied'))]).toEqual([true, false])
  expect(ended.result?.text).toContain('Error: This call was denied.')
  expect(ended.result?.text).toContain('Error: The call is too long for a human to review: the maximum is 8000 characters.')
  expect((await answer(second.id, 'allow')).code).not.toBe(0)
  expect((await answer(`${job}-99`, 'allow')).stderr).toContain(`No question ${job}-99 waits for an answer.`)
})

test('a question without an answer in time ends, and so does one of a cancelled job', async () => {
  here.scripts.set('nobody', calling([['ask', { question: 'Is anybody there?' }]]))
  await here.create('lonely', { tools: ['ask'], answerWithin: '1s' })
  const job = await jobIn(here.fleet, 'lonely', 'nobody here')
  expect(job.result?.text).toBe('Error: Nobody answered in time.')
  await here.create('patient', { tools: ['ask'] })
  const waiting = await give('patient', 'nobody here')
  const question = await asked(waiting)
  await here.fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: waiting } } })
  expect((await endOf(here.fleet, waiting)).state).toBe('cancelled')
  const { data } = await here.fleet.api.GET('/api/v1/inbox')
  expect(data?.items).toEqual([])
  expect((await answer(question.id, 'Yes.')).code).toBe(2)
})
