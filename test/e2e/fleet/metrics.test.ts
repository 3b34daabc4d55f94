import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

describe.each(everyone)('metrics of a fleet, as %s', (who) => {
  let fleet: FleetServer
  let viewer: string
  beforeAll(async () => {
    fleet = await startFleet(who)
    viewer = await fleet.token('viewer')
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  const scrape = async (): Promise<string> => {
    const answer = await fetch(`${fleet.url}/metrics`, { headers: { authorization: `Bearer ${viewer}` } })
    return answer.text()
  }
  /** Returns the value of a series; null if there is none. */
  const value = (text: string, series: string): number | null => {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `))
    return line === undefined ? null : Number(line.slice(series.length + 1))
  }

  test('jobs, cells, queue, agents, budgets and use are counted as they change', async () => {
    const create = (name: string, command: readonly string[], more: object) =>
      fleet.api.POST('/api/v1/agents', { body: { manifest: { name, agent: 'command', command, egress: { policy: 'off' }, ...more } } })
    await create('slow', ['sleep', '1000'], {})
    await create('quick', ['true'], { budgets: { day: { time: '1h' } } })
    const give = async (agent: string): Promise<string> =>
      (await fleet.api.POST('/api/v1/jobs', { body: { agent, prompt: 'x' } })).data?.id ?? ''
    const before = await scrape()
    expect(value(before, 'paddock_jobs{agent="slow",state="queued"}')).toBeNull()
    expect(value(before, 'paddock_oldest_queued_job_age_seconds')).toBe(0)
    expect(value(before, 'paddock_cells{kind="job"}')).toBe(0)
    expect(value(before, 'paddock_agent_failing{agent="slow"}')).toBe(0)
    expect(value(before, 'paddock_budget_left_ratio{agent="quick",period="day",unit="time"}')).toBe(1)
    const running = await give('slow')
    const queued = await give('slow')
    await give('quick')
    await expect.poll(async () => value(await scrape(), 'paddock_agent_jobs_ended_total{agent="quick"}'), { timeout: 60_000 }).toBe(1)
    await expect.poll(async () => value(await scrape(), 'paddock_jobs{agent="slow",state="running"}'), { timeout: 60_000 }).toBe(1)
    const busy = await scrape()
    expect(value(busy, 'paddock_jobs{agent="slow",state="queued"}')).toBe(1)
    expect(value(busy, 'paddock_jobs{agent="quick",state="queued"}')).toBeNull()
    expect(value(busy, 'paddock_oldest_queued_job_age_seconds')).toBeGreaterThan(0)
    expect(value(busy, 'paddock_cells{kind="job"}')).toBe(1)
    expect(value(busy, 'paddock_agent_tokens_total{agent="quick"}')).toBe(0)
    expect(value(busy, 'paddock_agent_cost_usd_total{agent="quick"}')).toBe(0)
    expect(value(busy, 'paddock_budget_left_ratio{agent="quick",period="day",unit="time"}')).toBeLessThan(1)
    for (const job of [queued, running]) await fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job } } })
    await expect.poll(async () => value(await scrape(), 'paddock_cells{kind="job"}'), { timeout: 60_000 }).toBe(0)
    expect(value(await scrape(), 'paddock_jobs{agent="slow",state="running"}')).toBeNull()
  })

  test('names follow the conventions of Prometheus', async () => {
    const text = await scrape()
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
    expect([...types.keys()].filter((name) => name.startsWith('paddock_')).length).toBeGreaterThan(9)
    for (const [name, type] of types) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(name.endsWith('_total'), `${type} ${name}`).toBe(type === 'counter')
      expect(name, 'base units').not.toMatch(/_(?:ms|milliseconds|minutes|kib|mib|percent)(?:_|$)/)
      expect(name, 'reserved').not.toMatch(/_(?:count|sum|bucket)$/)
      expect(text, name).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
    }
  })
})
