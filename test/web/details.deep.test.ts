import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, openBrowser, type TestBrowser } from '../support/browser.ts'
import { type FleetServer, startFleet } from '../support/fleet-server.ts'

describe('details of pages, over a real server', () => {
  let fleet: FleetServer
  let browser: TestBrowser
  beforeAll(async () => {
    fleet = await startFleet()
    browser = await openBrowser(fleet)
    await command('one', 'echo over; exec cat')
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await fleet[Symbol.asyncDispose]()
  })

  const command = async (name: string, script: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    const manifest = { name, agent: 'command', command: ['sh', '-c', script], egress: { policy: 'off' }, ...more }
    const { error } = await fleet.api.POST('/api/v1/agents', { body: { manifest: manifest as never } })
    expect(error).toBeUndefined()
  }

  test('a filter by state shows the icon of the state before its name', async () => {
    await using visit = await browser.signedIn()
    const { page } = visit
    await visit.to('/fleet')
    await page.getByRole('button', { name: /^idle/ }).locator('.st > .i.i-idle').waitFor()
    expect(await faultsOf(page, 'fleet-chips')).toEqual([])
    await visit.to('/jobs?state=failed')
    await page.getByRole('button', { name: 'failed', pressed: true }).locator('.st-bad > .i.i-fail').waitFor()
    expect(await faultsOf(page, 'jobs-chips')).toEqual([])
    expect(visit.complaints).toEqual([])
  })
})
