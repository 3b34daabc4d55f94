import path from 'node:path'
import { signatureOf } from '../../fleet/hooks/signature.ts'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { type Ask, endOf, fleetPlace, giveJob, runPaddock, serveFleet } from '../probe/probe-fleet.ts'

const manifest = { name: 'worker', agent: 'command', command: ['cat'], egress: { policy: 'off' } }
/** The number of requests after which a job that may start has started: the queue is read before a request is answered. */
const requests = 40

export const pausedFleetStartsNothing: Guarantee = {
  id: 'paused-fleet-starts-nothing',
  chapter: 'fleet',
  claim:
    'A fleet that was restored with --paused starts no job and accepts no delivery of a hook until you resume it, also after a restart.',
  mechanism: 'paddock fleet restore writes the pause into the data before any server can read it, and each start of a job reads it.',
  kind: 'policy',
  why: 'Jobs start only by one way out of the queue, which is closed during a pause. Only paddock fleet resume, or an owner over the API, ends it.',
  fails: ['Terminals can still be opened, so that you can look at what was restored.', 'A backup that is unpacked with tar has no pause.'],
  probe: async (bench) => {
    const place = await fleetPlace(bench)
    const archive = path.join(place.root, 'backup.tar')
    let [old, secret] = ['', '']
    {
      await using original = await serveFleet(bench, place)
      if (original === null) return unenforceable('the probe cannot start another Paddock from here, so no fleet was served')
      const owner = await original.as('owner')
      await owner('POST', '/agents', { manifest })
      await owner('POST', '/agents/worker/stop')
      old = await giveJob(owner, 'worker')
      secret = String((await owner('POST', '/hooks', { name: 'hook', agent: 'worker', prompt: 'delivered' })).body.secret)
      await runPaddock(bench, ['fleet', 'backup', archive, '--data', place.data], place)
    }
    const copy = { root: place.root, data: path.join(place.root, 'restored') }
    await runPaddock(bench, ['fleet', 'restore', archive, '--data', copy.data, '--paused'], copy)
    const given: string[] = [old]
    {
      await using first = await serveFleet(bench, copy)
      if (first === null) return unenforceable('the probe cannot start another Paddock from here, so no fleet was restored')
      const owner = await first.as('owner')
      await owner('POST', '/agents/worker/start')
      given.push(await giveJob(owner, 'worker'))
      const delivered = await deliver(owner, secret)
      if (delivered.status < 400) return broken('a paused fleet accepted a delivery of a hook')
      if (delivered.status !== 503) return broken(`the delivery was not understood (${delivered.status}), so the probe is inconclusive`)
      const started = await startedOf(owner, given)
      if (started.length > 0) return broken(`a paused fleet started ${started.length} of ${given.length} jobs`)
    }
    await using second = await serveFleet(bench, copy)
    if (second === null) return unenforceable('the probe cannot start another Paddock from here, so no fleet was restored')
    const owner = await second.as('owner')
    const started = await startedOf(owner, given)
    if (started.length > 0) return broken(`a paused fleet started ${started.length} of ${given.length} jobs after a restart`)
    await owner('POST', '/resume')
    const ends = await Promise.all(given.map((each) => endOf(owner, each)))
    if (ends.some(({ state }) => state !== 'done'))
      return broken(
        `the jobs did not run after the pause either (${ends.map(({ state }) => state).join(', ')}), so the probe is inconclusive`,
      )
    return held(
      `a fleet was restored with --paused: a queued job of a started agent, a new job and a delivery of a hook started nothing, also after a restart; resumed, ${given.length} jobs ran`,
    )
  },
}

/** Returns the jobs that are no longer in the queue. */
async function startedOf(ask: Ask, jobs: readonly string[]): Promise<readonly string[]> {
  for (let sent = 0; sent < requests; sent += 1) {
    const all = await Promise.all(jobs.map((each) => ask('GET', `/jobs/${each}`)))
    const started = jobs.filter((_, index) => all[index]?.body.state !== 'queued')
    if (started.length > 0) return started
  }
  return []
}

async function deliver(ask: Ask, secret: string) {
  const { body } = await ask('GET', '/hooks')
  const time = String(Math.floor(Date.now() / 1000))
  const sent = { probe: true }
  const signature = signatureOf(secret, time, Buffer.from(JSON.stringify(sent)))
  return ask('POST', `/hooks/${body.items[0].id}/deliver`, sent, { 'x-paddock-time': time, 'x-paddock-signature': signature })
}
