import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Figure } from '../measure.ts'
import { ask, type BenchPlace, type BenchServer, endHosts, hostPids, residentMb, startServer } from './server.ts'

interface Job {
  readonly id: string
  readonly state: string
}

/** Runs jobs that do almost nothing, while the server is killed again and again. */
export async function lives(place: BenchPlace, { jobs, kills }: { jobs: number; kills: number }): Promise<Figure[]> {
  const data = path.join(place.root, 'lives')
  let server = await startServer(place, data)
  const make = (name: string, command: readonly string[]) =>
    ask<{ id: string }>(server, 'POST', '/agents', { manifest: { name, agent: 'command', command, egress: { policy: 'off' } } })
  const { id: agent } = await make('count', ['sh', '-c', 'cat >> all.txt'])
  await make('long', [
    'sh',
    '-c',
    'i=0; while read -r _ < /dev/null; [ $i -lt 100000 ] && [ ! -e stop ]; do echo $((i += 1)); sleep 0.05; done',
  ])
  const long = await ask<Job>(server, 'POST', '/jobs', { agent: 'long', prompt: 'x' })
  const given = (async () => {
    for (let index = 0; index < jobs; index += 1) {
      const key = { 'idempotency-key': `job-${index}` }
      while ((await ask(server, 'POST', '/jobs', { agent: 'count', prompt: `${index}\n` }, key).catch(() => null)) === null)
        await setTimeout(50)
    }
  })()
  for (let each = 0; each < kills; each += 1) {
    await setTimeout(500 + Math.random() * 1000)
    await server.stop('SIGKILL')
    server = await startServer(place, data, server.token)
  }
  await given
  const left = async () =>
    (await ask<{ queued: number; running: number }>(server, 'GET', '/agents/count')) as { queued: number; running: number }
  const file = path.join(data, 'agents', agent, 'slots/1/work/all.txt')
  for (let now = await left(); now.queued + now.running > 0; now = await left()) await setTimeout(100)
  const ran = readFileSync(file, 'utf8').trim().split('\n').map(Number)
  const lost = Array.from({ length: jobs }, (_, index) => index).filter((each) => !ran.includes(each)).length
  const twice = ran.length - new Set(ran).size
  const { state } = await ask<Job>(server, 'GET', `/jobs/${long.id}`)
  const lines = (await transcript(server, long.id)).map(Number)
  const gaps = lines.filter((each, index) => each !== index + 1).length
  const figures = [
    {
      name: `${jobs} jobs while the server is killed ${kills} times`,
      value: `${lost} lost, ${twice} twice; one that ran meanwhile is ${state}, ${lines.length} lines, ${gaps} gaps`,
      bar: 'none lost, none twice, no gap',
      met: lost === 0 && twice === 0 && gaps === 0 && state === 'running',
    },
  ]
  await ask(server, 'POST', `/jobs/${long.id}/cancel`)
  await server.stop('SIGTERM')
  endHosts(data)
  return figures
}

/** Returns what a running job has printed so far. */
async function transcript(server: BenchServer, id: string): Promise<readonly string[]> {
  const control = new AbortController()
  const answer = await fetch(`${server.url}/api/v1/jobs/${id}/events`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: control.signal,
  })
  const { serverEvents } = await import('../../src/client/server-events.ts')
  const lines: string[] = []
  const idle = globalThis.setTimeout(() => control.abort(), 2000)
  try {
    for await (const { event, data } of serverEvents(answer.body as ReadableStream<Uint8Array>))
      if (event === 'message')
        lines.push((JSON.parse(data) as { line?: string; text?: string }).line ?? (JSON.parse(data) as { text?: string }).text ?? '')
  } catch {
    // It is still running, so its transcript has no end yet.
  } finally {
    clearTimeout(idle)
  }
  return lines.filter((each) => /^\d+$/.test(each))
}

/**
 * Measures the memory of servers and host processes, and whether it grows. Their heap is bounded, because V8 otherwise collects so seldom
 * that the resident size says nothing: it rises by half in a thousand jobs, and falls again in the next thousand.
 */
export async function memory(unbounded: BenchPlace, { cells, jobs }: { cells: number; jobs: number }): Promise<Figure[]> {
  const place = { ...unbounded, env: { ...unbounded.env, NODE_OPTIONS: '--max-old-space-size=48' } }
  const data = path.join(place.root, 'memory')
  const server = await startServer(place, data)
  await setTimeout(1000)
  const idle = residentMb(server.pid)
  const manifest = (name: string, command: readonly string[], parallel: number) => ({
    name,
    agent: 'command',
    command,
    egress: { policy: 'off' },
    parallel,
  })
  await ask(server, 'POST', '/agents', { manifest: manifest('sleepers', ['sleep', '600'], cells) })
  const sizes: number[] = []
  const given: string[] = []
  for (let count = 0; count < cells; count += 1) {
    const { id } = await ask<Job>(server, 'POST', '/jobs', { agent: 'sleepers', prompt: 'x' })
    given.push(id)
    while ((await ask<Job>(server, 'GET', `/jobs/${id}`)).state === 'queued') await setTimeout(20)
    await setTimeout(500)
    sizes.push(residentMb(hostPids(data)[0] ?? 0))
  }
  for (const id of given) await ask(server, 'POST', `/jobs/${id}/cancel`)
  await ask(server, 'POST', '/agents', { manifest: manifest('noop', ['true'], 2) })
  const run = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) await ask(server, 'POST', '/jobs', { agent: 'noop', prompt: 'x' })
    for (;;) {
      const { queued, running } = await ask<{ queued: number; running: number }>(server, 'GET', '/agents/noop')
      if (queued + running === 0) return
      await setTimeout(200)
    }
  }
  // Before that, code is compiled and pages are filled.
  await run(1_000)
  const hosts = () => hostPids(data).map(residentMb)
  const [serverBefore, hostBefore] = [residentMb(server.pid), Math.max(...hosts())]
  await run(jobs)
  const [serverAfter, hostAfter] = [residentMb(server.pid), Math.max(...hosts())]
  await server.stop('SIGTERM')
  endHosts(data)
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)]
  const each = (last - first) / (cells - 1)
  const growth = (after: number, before: number) =>
    `${before.toFixed(0)} to ${after.toFixed(0)} MB, ${((after / before - 1) * 100).toFixed(0)}% more`
  return [
    { name: 'idle server', value: `${idle.toFixed(0)} MB`, bar: 'under 150 MB', met: idle < 150 },
    { name: 'host process with a cell', value: `${first.toFixed(0)} MB`, bar: 'under 80 MB', met: first < 80 },
    { name: 'each further cell', value: `${each.toFixed(1)} MB`, bar: 'under 4 MB', met: each < 4 },
    {
      name: `server, ${jobs} jobs later`,
      value: growth(serverAfter, serverBefore),
      bar: 'at most 10% more',
      met: serverAfter <= serverBefore * 1.1,
    },
    {
      name: `host process, ${jobs} jobs later`,
      value: growth(hostAfter, hostBefore),
      bar: 'at most 10% more',
      met: hostAfter <= hostBefore * 1.1,
    },
  ]
}
