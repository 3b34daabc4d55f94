import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

/** Puts CLIs on the PATH that count as installed. No test here runs them. */
function withAgents(env: Record<string, string>): Record<string, string> {
  const bin = path.join(env['HOME'] ?? '', 'bin')
  mkdirSync(bin)
  for (const each of ['claude', 'codex']) writeFileSync(path.join(bin, each), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 })
  chmodSync(env['HOME'] ?? '', 0o711)
  return { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` }
}

const phone = { width: 390, height: 844 }

describe('what a newcomer meets first', () => {
  let pages: FleetPages
  beforeAll(async () => {
    pages = await openFleetPages(withAgents)
    const manifests = [
      { name: 'keyed', agent: 'claude', env: ['ANTHROPIC_API_KEY=k'], baseUrl: 'http://model.test:80', egress: { allow: [pin] } },
      { name: 'plain', agent: 'codex' },
      {
        ...{ name: 'local', kind: 'model', provider: 'openai-compatible', model: 'm', keyless: true, tools: ['bash'] },
        baseUrl: 'http://127.0.0.1:9/v1',
      },
    ]
    for (const manifest of manifests) {
      const { error } = await pages.fleet.api.POST('/api/v1/agents', { body: { manifest: manifest as never } })
      expect(error).toBeUndefined()
    }
  })
  afterAll(() => pages[Symbol.asyncDispose]())
  const pin = 'model.test:80=127.0.0.1:18080'
  const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name })

  test('credentials name a missing login only for agents that cannot start without it', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/credentials')
    await page.getByRole('row', { name: /codex/ }).getByText('No login was found').waitFor()
    await page.getByText(/^Not using a login of this machine:/).waitFor()
    expect(await page.getByText(/^Not using a login/).textContent()).toMatch(/keyed.*local|local.*keyed/)
    expect(await page.getByText('No login was found').count()).toBe(1)
    expect(await faultsOf(page, 'credentials-logins')).toEqual([])
  })

  test('the policy of an agent with a pinned address does not contradict itself', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/agents/keyed/policy')
    await page.getByText(`reach ${pin}`).waitFor()
    await page.getByText('reach any other address of your own network or this machine').waitFor()
    expect(await faultsOf(page, 'policy-pinned')).toEqual([])
  })

  test('the form of a new agent shows the agent of the YAML before the list of agents is there, and offers known projects', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    const listed = Promise.withResolvers<void>()
    await page.route('**/api/v1/capabilities', (route) => listed.promise.then(() => route.continue()))
    await page.route('**/api/v1/server', async (route) => {
      const response = await route.fetch()
      const server = (await response.json()) as { configuration: object }
      await route.fulfill({ response, json: { ...server, configuration: { ...server.configuration, projects: ['/p/one', '/p/two'] } } })
    })
    await visit.to('/new-agent')
    const agent = page.getByLabel('Agent', { exact: true })
    await agent.waitFor()
    expect(await agent.inputValue()).toBe('claude')
    listed.resolve()
    await agent.locator('option[value=codex]').waitFor({ state: 'attached' })
    expect(await agent.inputValue()).toBe('claude')
    await page.getByLabel('Works in').selectOption('copy')
    const project = page.getByLabel('Project', { exact: true })
    expect(await project.inputValue()).toBe('/p/one')
    await project.selectOption('/p/two')
    expect(await page.locator('#yaml').inputValue()).toContain('copy: /p/two')
    expect(await faultsOf(page, 'new-agent-project')).toEqual([])
    await project.selectOption('')
    await page.getByLabel('Directory').fill('/p/two/sub')
    expect(await page.locator('#yaml').inputValue()).toContain('copy: /p/two/sub')
  })

  test('a mistyped address, and the name of nothing, lead on', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/nope/at/all')
    await page.getByText('There is no page at this address.').waitFor()
    expect(await faultsOf(page, 'no-page')).toEqual([])
    await link(page, 'Show the fleet').click()
    await page.waitForURL(/\/fleet$/)
    for (const [at, way, name] of [
      ['/agents/nobody/jobs', /\/fleet$/, 'Show the fleet'],
      ['/agents/keyed/nothing', /\/agents\/keyed\/jobs$/, 'Show the jobs of keyed'],
      ['/jobs/j-nothing', /\/jobs$/, 'Show all jobs'],
      ['/jobs/j-nothing/review', /\/jobs$/, 'Show all jobs'],
      ['/contests/nothing', /\/contests$/, 'Show all contests'],
    ] as const) {
      await visit.to(at)
      await link(page, name).waitFor()
      if (at === '/agents/nobody/jobs') expect(await faultsOf(page, 'no-agent')).toEqual([])
      await link(page, name).click()
      await page.waitForURL(way)
    }
  })

  test('a schedule shows its times as the clocks of its own zone do', async () => {
    await using visit = await pages.browser.signedIn('owner', { timezoneId: 'America/New_York' })
    const { page } = visit
    const body = {
      name: 'nightly',
      agent: 'keyed',
      cron: '30 2 * * *',
      zone: 'Europe/Berlin',
      prompt: 'look',
      missed: 'once',
      overlap: 'skip',
    }
    expect((await pages.fleet.api.POST('/api/v1/schedules', { body: body as never })).error).toBeUndefined()
    await visit.to('/agents/keyed/schedules')
    await page.getByRole('cell', { name: /^\d{4}-\d\d-\d\d 02:30 Europe\/Berlin/ }).waitFor()
    expect(await faultsOf(page, 'schedules')).toEqual([])
  })

  test('a named sign-in is named with the jobs that it gives', async () => {
    await using visit = await pages.browser.open()
    const { page } = visit
    await visit.page.goto(await pages.browser.link('owner', 'phone'))
    await page.getByRole('navigation', { name: 'Main', includeHidden: true }).waitFor({ state: 'attached' })
    await visit.to('/settings')
    await page.getByText(/^phone \(session [\w-]{8}\)$/).waitFor()
    expect(await faultsOf(page, 'settings-you')).toEqual([])
  })

  test('on a phone, the plot of use shows the newest day', async () => {
    await using visit = await pages.browser.signedIn('owner', { viewport: phone })
    const { page } = visit
    await pages.command('works', 'echo done')
    const job = await pages.give('works')
    await expect.poll(async () => (await pages.fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job } } })).data?.state).toBe('done')
    await visit.to('/usage')
    await page.getByRole('button', { name: 'Tokens' }).waitFor()
    const plot = page.getByRole('region', { name: 'By day, as a plot' })
    await plot.waitFor()
    const at = await plot.evaluate((each) => ({ left: each.scrollLeft, most: each.scrollWidth - each.clientWidth }))
    expect(at.most).toBeGreaterThan(100)
    expect(Math.abs(at.most - at.left)).toBeLessThanOrEqual(1)
    expect(await faultsOf(page, 'usage-phone')).toEqual([])
  })
})
