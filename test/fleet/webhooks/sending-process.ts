// Runs a fleet with one webhook until it is killed: node sending-process.ts DIRECTORY PORT COUNT. Prints a line once all events are sent.
import { setTimeout } from 'node:timers/promises'
import { connectTcp } from '../../../src/egress/connection/dial.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openStore } from '../../../src/fleet/store/fleet-store.ts'
import { sender } from '../../../src/fleet/webhooks/send.ts'
import { runWebhooks } from '../../../src/fleet/webhooks/webhook-runner.ts'

const [directory = '', port = '', count = ''] = process.argv.slice(2)
const store = await openStore(fleetData(directory))
const { webhooks, events, database } = store
if (webhooks.list().length === 0) webhooks.create({ name: 'all', url: 'http://receiver.example/', kinds: ['job.ended'], secret: null })
const send = sender({
  resolver: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
  own: () => new Set(),
  connect: (_, signal) => connectTcp({ address: '127.0.0.1', family: 4, port: Number(port) }, signal),
})
const warn = (message: string): void => {
  throw new Error(message)
}
runWebhooks({ webhooks, events, send, isPaused: () => false, warn, now: () => Date.now() })
while (events.last < Number(count)) {
  database.transaction(() => events.add({ kind: events.last % 3 === 0 ? 'job.started' : 'job.ended' }))
  await setTimeout(1)
}
while ((webhooks.outcomes(webhooks.find('all').id)[0]?.event ?? 0) < Number(count)) await setTimeout(5)
process.stdout.write('sent\n')
