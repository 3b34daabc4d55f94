import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOf, jobIn } from '../../support/fleet-job.ts'
import { calling, type ModelFleet, startModelFleet } from '../../support/fleet-models.ts'

let here: ModelFleet
beforeAll(async () => {
  here = await startModelFleet()
})
afterAll(() => here[Symbol.asyncDispose]())

const echo = { agent: 'command', command: ['sh', '-c', 'echo "did: $(cat)"'], egress: { policy: 'off' } }
const delegate = { tools: ['delegate'] }
const jobs = async () => (await here.fleet.api.GET('/api/v1/jobs', { params: { query: { limit: 100 } } })).data?.items ?? []
const childrenOf = async (parent: string) => (await jobs()).filter((each) => each.parent === parent)
const stateOf = async (id: string) => (await here.fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data?.state
const give = async (agent: string, prompt: string): Promise<string> => {
  const { data } = await here.fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt } })
  return data?.id ?? ''
}
const until = async (check: () => Promise<boolean>): Promise<void> => {
  while (!(await check())) await setTimeout(50)
}

test('two agents with one place each that wait for each other both get their answers', async () => {
  await here.create('left', { ...delegate, delegates: ['right'] })
  await here.create('right', { ...delegate, delegates: ['left'] })
  here.scripts.set('ask-right', calling([['delegate', { agent: 'right', prompt: 'plain one' }]]))
  here.scripts.set('ask-left', calling([['delegate', { agent: 'left', prompt: 'plain two' }]]))
  here.scripts.set('plain', ({ userTexts }) => ({ say: `done: ${userTexts.at(-1)}` }))
  const ended = await Promise.all([jobIn(here.fleet, 'left', 'ask-right'), jobIn(here.fleet, 'right', 'ask-left')])
  expect(ended.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(ended[0]?.result?.text).toContain('done: plain one')
  expect(ended[1]?.result?.text).toContain('done: plain two')
})

test('a circle, a fourth step, an agent that is not named and a ninth job are refused', async () => {
  here.scripts.set('down', ({ toolResults }) => {
    const [next] = toolResults
    return next === undefined ? { call: 'delegate', input: { agent: 'step2', prompt: 'down2' } } : { say: next }
  })
  for (const step of [1, 2, 3, 4]) {
    const next = `step${step + 1}`
    await here.create(`step${step}`, { ...delegate, delegates: [next, 'step1'] })
    here.scripts.set(`down${step}`, calling([['delegate', { agent: next, prompt: `down${step + 1}` }]]))
  }
  await here.createAny({ name: 'step5', ...echo })
  const deep = await jobIn(here.fleet, 'step1', 'down1')
  expect(deep.state).toBe('done')
  expect(deep.result?.text).toContain('Jobs are delegated over 3 steps at most.')
  here.scripts.set('round1', calling([['delegate', { agent: 'step2', prompt: 'round2' }]]))
  here.scripts.set('round2', calling([['delegate', { agent: 'step1', prompt: 'round3' }]]))
  const round = await jobIn(here.fleet, 'step1', 'round1')
  expect(round.result?.text).toContain('step1 waits for this job itself, so it cannot work for it.')
  here.scripts.set(
    'beyond',
    calling([
      ['delegate', { agent: 'step4', prompt: 'x' }],
      ['delegate', { prompt: 'x' }],
      ['delegate', { job: round.id }],
    ]),
  )
  const beyond = await jobIn(here.fleet, 'step1', 'beyond')
  expect(beyond.result?.text.split('\n=====\n')).toEqual([
    'Error: There is no agent step4 for you. Agents: step2, step1',
    'Error: Give agent and prompt, or job.',
    `Error: You gave no job ${round.id}.`,
  ])
  await here.create('many', { ...delegate, delegates: ['step5'] })
  here.scripts.set(
    'nine',
    calling(Array.from({ length: 9 }, (_, index) => ['delegate', { agent: 'step5', prompt: `n${index}`, wait: false }])),
  )
  const nine = await jobIn(here.fleet, 'many', 'nine')
  const said = nine.result?.text.split('\n=====\n') ?? []
  expect(said.slice(0, 8).every((each) => /^The job is j-\w+\.$/.test(each))).toBe(true)
  expect(said[8]).toBe('Error: One job delegates at most 8 others.')
  expect(await childrenOf(nine.id)).toHaveLength(8)
})

test('a job that is cancelled ends what it had others do, and an answer can be waited for later', async () => {
  await here.createAny({ name: 'sleeper', ...echo, command: ['sh', '-c', 'sleep 600'] })
  await here.createAny({ name: 'quick', ...echo })
  await here.create('chief', { ...delegate, delegates: ['sleeper', 'quick'] })
  here.scripts.set('long', calling([['delegate', { agent: 'sleeper', prompt: 'sleep' }]]))
  const parent = await give('chief', 'long work')
  await until(async () => (await childrenOf(parent)).some((each) => each.state === 'running'))
  expect(await stateOf(parent)).toBe('waiting')
  await here.fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: parent } } })
  const [child] = await childrenOf(parent)
  expect((await endOf(here.fleet, child?.id ?? '')).state).toBe('cancelled')
  expect((await endOf(here.fleet, parent)).state).toBe('cancelled')

  here.scripts.set('later', ({ toolResults }) => {
    const [given, answer] = toolResults
    if (given === undefined) return { call: 'delegate', input: { agent: 'quick', prompt: 'it', wait: false } }
    if (answer === undefined) return { call: 'delegate', input: { job: /j-\w+/.exec(given)?.[0] ?? '' } }
    return { say: answer }
  })
  expect((await jobIn(here.fleet, 'chief', 'later on')).result?.text).toContain('did: it')
})

test('usage of delegates counts for the job that asked, and they get no more than it has left', async () => {
  await here.create('spender', { tools: ['bash'] })
  await here.create('keeper', { ...delegate, delegates: ['spender'], budgets: { job: { turns: 5 } } })
  here.scripts.set('spend', ({ toolResults }) => ({ call: 'bash', input: { command: `echo ${toolResults.length}` } }))
  here.scripts.set('keep', calling([['delegate', { agent: 'spender', prompt: 'spend all' }]]))
  const parent = await jobIn(here.fleet, 'keeper', 'keep an eye')
  const [child] = await childrenOf(parent.id)
  expect(child).toMatchObject({ state: 'failed', result: { turns: 4, outcome: { kind: 'out-of-budget' } } })
  expect(parent).toMatchObject({ state: 'failed', result: { turns: 1, outcome: { kind: 'out-of-budget' } } })
})

test('a job that waits for another survives the server that it asked', async () => {
  await here.createAny({ name: 'gated', ...echo, command: ['sh', '-c', 'while [ ! -e go ]; do sleep 0.1; done; echo "went: $(cat)"'] })
  await here.create('patient', { ...delegate, delegates: ['gated'] })
  here.scripts.set('wait', calling([['delegate', { agent: 'gated', prompt: 'now' }]]))
  const parent = await give('patient', 'wait here')
  await until(async () => (await childrenOf(parent)).some((each) => each.state === 'running'))
  await here.fleet.replace()
  const [child] = await childrenOf(parent)
  const work = path.join(here.fleet.data, 'agents', child?.agentId ?? '', 'slots/1/work')
  await until(async () => existsSync(work))
  writeFileSync(path.join(work, 'go'), '')
  const ended = await endOf(here.fleet, parent)
  expect(ended).toMatchObject({ state: 'done' })
  expect(ended.result?.text).toContain('went: now')
  expect(await childrenOf(parent)).toHaveLength(1)
})
