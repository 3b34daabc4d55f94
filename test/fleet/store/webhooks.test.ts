import { expect, onTestFinished, test } from 'vitest'
import type { Outcome } from '../../../src/fleet/store/webhook-outcomes.ts'
import { openTestStore } from '../../support/fleet-store.ts'

const wish = { name: 'chat', url: 'https://receiver.example/', kinds: ['job.ended'], secret: null } as const
const outcome = (event: number, more: Partial<Outcome> = {}): Outcome => ({
  ...{
    event,
    kind: 'job.ended',
    at: '2026-03-02T09:00:00.000Z',
    state: 'delivered',
    attempts: 1,
    status: 200,
    problem: null,
    nextAt: null,
  },
  ...more,
})

async function opened() {
  const store = await openTestStore()
  onTestFinished(() => store[Symbol.dispose]())
  return store
}

test('a webhook is found by name and id, its secret is given once, and its changes are events without URL and secret', async () => {
  const { webhooks, events } = await opened()
  const { webhook, secret } = webhooks.create(wish)
  expect(webhook).toMatchObject({ name: 'chat', kinds: ['job.ended'], paused: false, cursor: 0 })
  expect([webhooks.find('chat'), webhooks.find(webhook.id)]).toEqual([webhook, webhook])
  expect(JSON.stringify([webhooks.list(), webhooks.find('chat')])).not.toContain(secret)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  webhooks.pause(webhook.id, true)
  webhooks.pause(webhook.id, true)
  expect([webhooks.find('chat').paused, webhooks.active()]).toEqual([true, []])
  webhooks.pause(webhook.id, false)
  webhooks.remove(webhook.id)
  const data = { id: webhook.id, name: 'chat' }
  expect(events.after(0, 10).map((each) => [each.kind, each.data])).toEqual([
    ['webhook.created', data],
    ['webhook.paused', data],
    ['webhook.resumed', data],
    ['webhook.deleted', data],
  ])
  expect([webhooks.list(), webhooks.secret(webhook.id)]).toEqual([[], null])
})

test('a name is given once, a secret can be given, and there are at most 50', async () => {
  const { webhooks } = await opened()
  expect(webhooks.create({ ...wish, secret: 'of a hook' }).secret).toBe('of a hook')
  expect(() => webhooks.create(wish)).toThrow('There is a webhook named chat already.')
  for (let count = 1; count < 50; count++) webhooks.create({ ...wish, name: `n${count}` })
  expect(() => webhooks.create({ ...wish, name: 'more' })).toThrow('There are 50 webhooks, which is the maximum.')
  expect(() => webhooks.find('nowhere')).toThrow('There is no webhook nowhere.')
})

test('the newest 50 outcomes are kept, and deleted with their webhook', async () => {
  const { webhooks, database } = await opened()
  const { id } = webhooks.create(wish).webhook
  for (let event = 1; event <= 120; event++) webhooks.note(webhooks.find(id), outcome(event))
  const events = webhooks.outcomes(id).map(({ event }) => event)
  expect([events.length, events[0], events.at(-1)]).toEqual([50, 120, 71])
  webhooks.remove(id)
  expect(database.sql('SELECT count(*) AS count FROM webhook_outcomes').get()?.['count']).toBe(0)
})

test('an outcome for a webhook as it was before a change is not recorded', async () => {
  const { webhooks } = await opened()
  const { webhook } = webhooks.create(wish)
  webhooks.pause(webhook.id, true)
  webhooks.note(webhook, outcome(1))
  webhooks.pause(webhook.id, false)
  webhooks.note(webhook, outcome(1))
  expect(webhooks.outcomes(webhook.id)).toEqual([])
})
