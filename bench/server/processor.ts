import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Figure, inTurn } from '../measure.ts'
import type { BenchServer } from './server.ts'

const warm = 500
const rounds = 5
const measured = 400

/** The processor time of a process so far, in ticks of 10 ms (proc_pid_stat(5)). */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

/** Measures the processor time of lists, compared to an empty route of the same framework. Waiting for other processes does not count. */
export async function processor(server: BenchServer): Promise<Figure[]> {
  const bare = spawn(process.execPath, [fileURLToPath(new URL('empty-route.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [bareUrl] = (await once(bare.stdout.setEncoding('utf8'), 'data')) as [string]
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = (url: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { agent, headers: { authorization: `Bearer ${server.token}` } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
        answer.resume().once('end', resolve)
      })
      sent.once('error', reject).end()
    })
  const cost = (pid: number, url: string) => async (): Promise<number> => {
    const before = ticksOf(pid)
    for (let n = 0; n < measured; n++) await get(url)
    return ((ticksOf(pid) - before) * 10) / measured
  }
  const lists = { 'a page of 50 jobs': ['/jobs?limit=50', 3], '200 agents': ['/agents?limit=200', 6] } as const
  const urls = Object.values(lists).map(([route]) => `${server.url}/api/v1${route}`)
  for (const url of [bareUrl.trim(), ...urls]) for (let n = 0; n < warm; n++) await get(url)
  const costs = Object.entries(lists).map(([name, [route]]) => [name, cost(server.pid, `${server.url}/api/v1${route}`)] as const)
  const found = await inTurn<string>(rounds, { empty: cost(bare.pid ?? 0, bareUrl.trim()), ...Object.fromEntries(costs) })
  agent.destroy()
  bare.kill()
  const mean = (name: string): number => (found[name] ?? []).reduce((sum, each) => sum + each, 0) / rounds
  return Object.entries(lists).map(([name, [, most]]) => {
    const ratio = mean(name) / mean('empty')
    return {
      name: `processor time of ${name}`,
      value: `${mean(name).toFixed(2)} ms, empty route ${mean('empty').toFixed(2)} ms: ${ratio.toFixed(1)}`,
      bar: `at most ${most} times an empty route`,
      met: ratio <= most,
    }
  })
}
