import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Figure, inTurn, median } from '../measure.ts'
import { ask, type BenchServer } from './server.ts'

/** Returns the 99th percentile in milliseconds. */
const p99 = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

/** Measures reads of a full fleet, compared to an empty route of the same framework, one after the other over one connection each. */
export async function reads(server: BenchServer): Promise<Figure[]> {
  const bare = spawn(process.execPath, [fileURLToPath(new URL('empty-route.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [bareUrl] = (await once(bare.stdout.setEncoding('utf8'), 'data')) as [string]
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = (url: string) => async (): Promise<number> => {
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      const sent = request(url, { agent, headers: { authorization: `Bearer ${server.token}` } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
        answer.resume().once('end', resolve)
      })
      sent.once('error', reject).end()
    })
    return performance.now() - began
  }
  const { items } = await ask<{ items: { id: string }[] }>(server, 'GET', '/jobs?limit=1')
  const at = (route: string) => get(`${server.url}/api/v1${route}`)
  const what = {
    bare: get(bareUrl.trim()),
    'one job': at(`/jobs/${items[0]?.id}`),
    'one agent': at('/agents/agent-1'),
    'a page of 10 jobs': at('/jobs?limit=10'),
    'the jobs of one agent': at('/jobs?agent=agent-7&limit=10'),
    'the jobs in one state': at('/jobs?state=queued&limit=10'),
  }
  await inTurn(200, what)
  const found = await inTurn(2000, what)
  agent.destroy()
  bare.kill()
  const empty = p99(found.bare)
  return Object.entries(found).flatMap(([name, times]) => {
    if (name === 'bare') return []
    const ratio = p99(times) / empty
    return [
      {
        name: `read of ${name}, p99`,
        value: `${p99(times).toFixed(2)} ms, empty route ${empty.toFixed(2)} ms: ${ratio.toFixed(2)} (p50 ${(median(times) / median(found.bare)).toFixed(2)})`,
        bar: 'at most 3 times an empty route',
        met: ratio <= 3,
      },
    ]
  })
}
