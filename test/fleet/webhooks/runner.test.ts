import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { EventKind } from '../../../src/fleet/store/fleet-event-kinds.ts'
import { type WebhookWish, webhookStore } from '../../../src/fleet/store/webhook-store.ts'
import { runWebhooks, type WebhookDeps, type WebhookRunner } from '../../../src/fleet/webhooks/webhook-runner.ts'
import { openTestStore } from '../../support/fleet-store.ts'
import { eventOf, openReceiver, type Received } from '../../support/receiver.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** Webhooks over a real store and a real receiver, with a clock that the test controls. */
async function stage(answer?: (response: ServerResponse, received: Received) => unknown) {
  const opened = await openTestStore()
  const receiver = await openReceiver(answer)
  const clock = { ms: Date.now() }
  const runners: WebhookRunner[] = []
  const warnings: string[] = []
  onTestFinished(async () => {
    for (const each of runners) each[Symbol.dispose]()
    await receiver[Symbol.asyncDispose]()
    opened[Symbol.dispose]()
  })
  const webhooks = webhookStore(opened.database, opened.events, () => new Date(clock.ms))
  const { send } = receiver
  const run = (more: Partial<WebhookDeps> = {}): WebhookRunner => {
    const warn = (message: string) => void warnings.push(message)
    const isPaused = () => opened.pause.now() !== null
    const runner = runWebhooks({ webhooks, events: opened.events, send, isPaused, warn, now: () => clock.ms, ...more })
    runners.push(runner)
    return runner
  }
  const create = (more: Partial<WebhookWish> = {}) =>
    webhooks.create({ name: 'hook', url: 'http://receiver.example/', kinds: ['job.ended'], secret: null, ...more }).webhook
  /** Adds events and returns their ids. */
  const happen = (...kinds: readonly EventKind[]): readonly number[] =>
    kinds.map((kind) =>
      opened.database.transaction(() => {
        opened.events.add({ kind })
        return opened.events.last
      }),
    )
  return { ...opened, webhooks, receiver, clock, run, create, happen, warnings }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('events of its kinds arrive in order, from the making of the webhook on, and the outcomes are kept', async () => {
  const { webhooks, receiver, run, create, happen } = await stage()
  happen('job.ended')
  const { id } = create({ kinds: ['job.ended', 'agent.created'] })
  run()
  const [one, , , two, three] = happen('job.ended', 'job.started', 'token.created', 'agent.created', 'job.ended')
  await until(() => webhooks.outcomes(id).length === 3)
  expect(receiver.ids()).toEqual([one, two, three])
  expect(
    webhooks.outcomes(id).map(({ event, kind, state, attempts, status, problem }) => [event, kind, state, attempts, status, problem]),
  ).toEqual([three, two, one].map((each) => [each, each === two ? 'agent.created' : 'job.ended', 'delivered', 1, 200, null]))
  expect(webhooks.find(id)).toMatchObject({ cursor: three, attempts: 0, dueAt: null })
})

test('a failed delivery is tried again with growing waits, given up after a day, and the next event comes', async () => {
  const refused = { id: 0 }
  const { webhooks, receiver, clock, run, create, happen } = await stage((response, received) =>
    response.writeHead(eventOf(received) === refused.id ? 503 : 200).end(),
  )
  const { id } = create()
  const runner = run()
  const [lost = 0, next] = happen('job.ended', 'job.ended')
  refused.id = lost
  const waits: number[] = []
  for (let attempts = 1; attempts <= 7; attempts++) {
    await until(() => webhooks.find(id).attempts === attempts)
    const [outcome] = webhooks.outcomes(id)
    expect(outcome).toMatchObject({ event: lost, state: 'waiting', attempts, status: 503, problem: 'Answered 503.' })
    waits.push(Date.parse(outcome?.nextAt ?? '') - clock.ms)
    clock.ms += (waits.at(-1) ?? 0) - 1
    runner.ring()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(receiver.received).toHaveLength(attempts)
    clock.ms += 1
    runner.ring()
  }
  expect(waits).toEqual([10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 13 * hour])
  await until(() => webhooks.outcomes(id).length === 2)
  expect(webhooks.outcomes(id)).toMatchObject([
    { event: next, state: 'delivered', attempts: 1 },
    { event: lost, state: 'given-up', attempts: 8, nextAt: null },
  ])
  expect(receiver.ids()).toEqual([...Array.from({ length: 8 }, () => lost), next])
})

test('waiting deliveries are tried at once when a test delivery is accepted', async () => {
  const down = { is: true }
  const { webhooks, run, create, happen } = await stage((response) => response.writeHead(down.is ? 503 : 200).end())
  const { id } = create()
  const runner = run()
  const [event] = happen('job.ended')
  await until(() => webhooks.find(id).attempts === 1)
  expect(await runner.test(webhooks.find(id))).toEqual({ status: 503, problem: 'Answered 503.' })
  down.is = false
  expect(await runner.test(webhooks.find(id))).toEqual({ status: 200, problem: null })
  await until(() => webhooks.find(id).cursor === event)
  expect(webhooks.outcomes(id)).toMatchObject([{ state: 'delivered', attempts: 2 }])
})

test('an event that was under way when the server was killed is sent again, and none is lost', async () => {
  const held: ServerResponse[] = []
  const { webhooks, receiver, run, create, happen } = await stage((response) => (held.length < 1 ? held.push(response) : response.end()))
  const { id } = create()
  const first = run()
  const [one, two] = happen('job.ended', 'job.ended')
  await until(() => held.length === 1)
  first[Symbol.dispose]()
  expect(webhooks.outcomes(id)).toEqual([])
  // It answers a server that is already gone.
  held[0]?.end()
  run()
  await until(() => webhooks.outcomes(id).length === 2)
  expect(receiver.ids()).toEqual([one, one, two])
  const [before, after] = receiver.received
  expect(after?.headers['x-paddock-signature']).toBe(before?.headers['x-paddock-signature'])
})

test('a server that is killed between the waits keeps count of attempts and waits', async () => {
  const { webhooks, receiver, clock, run, create, happen } = await stage((response) => response.writeHead(500).end())
  const { id } = create()
  const first = run()
  happen('job.ended')
  await until(() => webhooks.find(id).attempts === 1)
  first[Symbol.dispose]()
  const next = run()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(receiver.received).toHaveLength(1)
  clock.ms += 10 * second
  next.ring()
  await until(() => webhooks.find(id).attempts === 2)
})

test('a clock that is set back by a day holds nothing up', async () => {
  const { webhooks, clock, run, create, happen } = await stage((response) => response.writeHead(500).end())
  const { id } = create()
  const runner = run()
  happen('job.ended')
  await until(() => webhooks.find(id).attempts === 1)
  clock.ms -= 24 * hour
  runner.ring()
  await until(() => webhooks.find(id).attempts === 2)
})

test('a receiver that does not answer does not delay others', async () => {
  const { webhooks, receiver, run, create, happen } = await stage((response, { url }) => (url === '/slow' ? undefined : response.end()))
  const slow = create({ name: 'slow', url: 'http://receiver.example/slow' })
  const quick = create({ name: 'quick' })
  run()
  happen(...Array.from({ length: 20 }, () => 'job.ended' as const))
  await until(() => webhooks.outcomes(quick.id).length === 20)
  expect(webhooks.outcomes(slow.id)).toEqual([])
  expect(receiver.received.filter(({ url }) => url === '/slow')).toHaveLength(1)
})

test('events that were deleted before they were sent are skipped, and that is recorded', async () => {
  const { webhooks, receiver, clock, run, create, happen, events } = await stage((response) => response.writeHead(500).end())
  const { id, cursor } = create()
  const runner = run()
  const [waiting] = happen('job.ended')
  await until(() => webhooks.find(id).attempts === 1)
  const later = happen(...Array.from({ length: 5 }, () => 'job.ended' as const))
  events.keep(2, 100)
  clock.ms += 10 * second
  runner.ring()
  await until(() => webhooks.outcomes(id).length === 3)
  expect(receiver.ids()).toEqual([waiting, later[3]])
  // The event of the webhook's own creation was passed before.
  expect(webhooks.outcomes(id).map(({ event, state, problem }) => [event, state, problem])).toEqual([
    [later[3], 'waiting', 'Answered 500.'],
    [later[2], 'skipped', `Events ${cursor + 2} to ${later[2]} were deleted before this webhook reached them.`],
    [waiting, 'given-up', 'Answered 500.'],
  ])
})

test('events of which none is wanted are not said to be skipped, and cost few writes', async () => {
  const { webhooks, run, create, happen, events, database } = await stage()
  const { id } = create({ kinds: ['token.revoked'] })
  const runner = run()
  let writes = 0
  happen(...Array.from({ length: 1200 }, () => 'job.started' as const))
  database.onCommit(() => {
    writes += 1
  })
  await until(() => webhooks.find(id).cursor >= events.last - 100)
  expect(writes).toBeLessThan(10)
  events.keep(1, 100)
  runner.ring()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(webhooks.outcomes(id)).toEqual([])
})

test('a paused webhook sends nothing, not even what happened meanwhile when it is resumed', async () => {
  const { webhooks, receiver, run, create, happen } = await stage((response) => response.writeHead(500).end())
  const { id } = create()
  const runner = run()
  happen('job.ended')
  await until(() => webhooks.find(id).attempts === 1)
  webhooks.pause(id, true)
  expect(webhooks.outcomes(id)).toMatchObject([{ state: 'given-up', nextAt: null }])
  happen('job.ended')
  webhooks.pause(id, false)
  runner.ring()
  const [after] = happen('job.ended')
  await until(() => webhooks.outcomes(id).length === 2)
  expect(receiver.ids().at(-1)).toBe(after)
  expect(receiver.received).toHaveLength(2)
})

test.each(['pause', 'remove'] as const)('a webhook that changes (%s) during a delivery has no outcome of it', async (change) => {
  const held: ServerResponse[] = []
  const { webhooks, run, create, happen } = await stage((response) => held.push(response))
  const { id } = create()
  run()
  happen('job.ended')
  await until(() => held.length === 1)
  if (change === 'remove') webhooks.remove(id)
  else webhooks.pause(id, true)
  held[0]?.end()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(webhooks.outcomes(id)).toEqual([])
})

test('a full disk makes no storm of deliveries', async () => {
  const { webhooks, receiver, run, create, happen, warnings } = await stage()
  create()
  const note = (): never => {
    throw new Error('the disk is full')
  }
  const runner = run({ webhooks: { ...webhooks, note } })
  happen('job.ended')
  await until(() => warnings.length === 1)
  for (let count = 0; count < 20; count++) {
    runner.ring()
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  expect([receiver.received.length, warnings]).toEqual([1, ['a webhook could not be handled: the disk is full']])
})

test('a test event is signed like others, and its outcome is the answer', async () => {
  const { webhooks, receiver, run, create } = await stage()
  const webhook = create({ secret: 'x'.repeat(32) })
  expect(await run().test(webhook)).toEqual({ status: 200, problem: null })
  const { body, headers } = receiver.received[0] as Received
  expect(JSON.parse(body)).toMatchObject({ schemaVersion: 1, event: { id: 0, kind: 'webhook.test', data: { name: 'hook' } } })
  expect(headers['x-paddock-signature']).toMatch(/^[0-9a-f]{64}$/)
  expect(webhooks.outcomes(webhook.id)).toEqual([])
})
