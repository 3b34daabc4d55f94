import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { putAgents } from '../support/fake-agents.ts'
import { jobIn } from '../support/fleet-job.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

describe('details of pages, over a real server', () => {
  let pages: FleetPages
  beforeAll(async () => {
    pages = await openFleetPages()
    await pages.command('one', 'echo over; exec cat')
  })
  afterAll(() => pages[Symbol.asyncDispose]())

  test('a filter by state shows the icon of the state before its name', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/fleet')
    await page.getByRole('button', { name: /^idle/ }).locator('.st > .i.i-idle').waitFor()
    expect(await faultsOf(page, 'fleet-chips')).toEqual([])
    await visit.to('/jobs?state=failed')
    await page.getByRole('button', { name: 'failed', pressed: true }).locator('.st-bad > .i.i-fail').waitFor()
    expect(await faultsOf(page, 'jobs-chips')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('a question has a bar of the time that is left, amber in the last 30 seconds', async () => {
    await pages.command('asks', 'curl -sS -m 60 http://a.test:8080/ || true', { egress: { ask: ['a.test:8080'] } })
    await pages.give('asks')
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/inbox')
    const bar = page.locator('.left svg.bar .fill')
    await bar.waitFor({ state: 'attached' })
    expect(Number(await bar.getAttribute('width'))).toBeGreaterThan(0)
    expect(await bar.getAttribute('class')).toBe('fill')
    expect(await faultsOf(page, 'inbox-bar')).toEqual([])
    await page.route('**/api/v1/inbox', async (route) => {
      const { items } = (await (await route.fetch()).json()) as { items: readonly object[] }
      const expiresAt = new Date(Date.now() + 20_000).toISOString()
      await route.fulfill({ json: { items: items.map((each) => ({ ...each, expiresAt })) } })
    })
    await page.reload()
    await page.locator('.left svg.bar .fill.w').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: /^Deny/ }).click()
    expect(visit.complaints).toEqual([])
  })

  test('a model whose endpoint refused its key is sent to its manifest, and to no login or terminal', async () => {
    const refusing = createServer((_, response) => void response.writeHead(401).end())
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/v1`
    const manifest = { name: 'thinker', kind: 'model', provider: 'openai-compatible', baseUrl, model: 'm', keyless: true }
    const { error } = await pages.fleet.api.POST('/api/v1/agents', { body: { manifest: manifest as never } })
    expect(error).toBeUndefined()
    await jobIn(pages.fleet, 'thinker', 'think')
    refusing.close()
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/jobs')
    await page.getByText('One agent needs a key.').waitFor()
    expect(await page.getByLabel('Waiting for you').textContent()).toMatch(
      /^One agent needs a key\. thinker needs a key: its endpoint refused its key \(m at 127\.0\.0\.1:\d+ answered 401\)\.Open$/,
    )
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    const item = page.getByRole('article', { name: 'thinker needs a key' })
    await item.getByText('Its jobs fail until its endpoint accepts the key.').waitFor()
    await item.getByText('Set apiKey in its manifest to the key of this endpoint').waitFor()
    await item.getByRole('link', { name: 'Open its manifest' }).waitFor()
    expect(await item.textContent()).not.toMatch(/log in|login|terminal/i)
    expect(await faultsOf(page, 'inbox-key')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('commands in what the server says are code', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/new-agent')
    await page.getByRole('textbox', { name: 'YAML' }).fill('name: one\nagent: claude\nlimits: { memory: much }\n')
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.locator('.aside code', { hasText: /^paddock agent schema$/ }).waitFor()
    expect(await faultsOf(page, 'commands')).toEqual([])
  })

  test('a page says before its session ends', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    expect(await page.evaluate(`Date.parse(localStorage.getItem('paddock.session-end')) > Date.now() + 11 * 3_600_000`)).toBe(true)
    await page.evaluate(`localStorage.setItem('paddock.session-end', new Date(Date.now() + 300_000).toISOString())`)
    await visit.to('/jobs')
    await page.getByText('You will be signed out in').waitFor()
    expect(await faultsOf(page, 'session-ends')).toEqual([])
  })

  test('tabs of an agent count what waits', async () => {
    const body = { name: 'daily', agent: 'one', cron: '0 5 * * *', prompt: 'look' } as never
    const { error } = await pages.fleet.api.POST('/api/v1/schedules', { body })
    expect(error).toBeUndefined()
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/agents/one/jobs')
    await page.getByRole('link', { name: /^Schedules 1$/ }).waitFor()
    expect(await faultsOf(page, 'tab-counts')).toEqual([])
  })

  test('a schedule is created from a form whose draft survives a reload, and is paused and deleted; a lease is revoked', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/agents/one/schedules')
    await page.getByRole('button', { name: 'New schedule' }).click()
    await page.getByLabel('Name').fill('links')
    await page.getByLabel('Prompt').fill('Check all links')
    await page.getByLabel('When', { exact: true }).fill('at dawn')
    await page.reload()
    expect(await page.getByLabel('Prompt').inputValue()).toBe('Check all links')
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByRole('alert').getByText('at dawn').waitFor()
    expect(await faultsOf(page, 'new-schedule')).toEqual([])
    await page.getByLabel('When', { exact: true }).fill('0 7 * * 1-5')
    await page.getByRole('button', { name: 'Create schedule' }).click()
    const row = page.getByRole('row', { name: /links/ })
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('stopped').waitFor()
    await row.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('dialog').getByText('No new jobs will start.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await row.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete schedule' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New schedule' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    await page.getByLabel('Name').fill('dropped')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'New schedule' }).waitFor()

    await visit.to('/agents/one/leases')
    await page.getByRole('button', { name: 'Lend agent' }).click()
    await page.getByLabel('Name').fill('docs-team')
    await page.getByLabel('Budget in US dollars').fill('2.50')
    await page.getByRole('button', { name: 'Create lease' }).click()
    await page.getByRole('alert').getByText('budget cannot be held').waitFor()
    await page.getByLabel('Budget in US dollars').fill('')
    await page.getByRole('button', { name: 'Create lease' }).click()
    await page.getByText('The lease docs-team was created.').waitFor()
    const lease = page.getByRole('row', { name: /open docs-team all tools · terminals, view only \$0\.00, 0 turns/ })
    await lease.waitFor()
    expect(await faultsOf(page, 'lease')).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await lease.getByRole('button', { name: 'Revoke …' }).click()
    await page.getByRole('button', { name: 'Revoke lease' }).click()
    await page.getByRole('row', { name: /revoked docs-team/ }).waitFor()
    expect(visit.complaints.filter((each) => !/status of 400|status of 422/.test(each))).toEqual([])
  })

  test('words that changed within a line are marked in a review', async () => {
    const { project } = pages.fleet.stage
    writeFileSync(
      path.join(project, 'list.json'),
      `{\n  "check": "node check.js",\n  "name": "list"\n${Array.from({ length: 40 }, (_, n) => `  "${n === 39 ? 'last line' : 'line'}": ${n + 1}\n`).join('')}}\n`,
    )
    pages.fleet.stage.own()
    const script = `sed -i 's/check.js"/check.js --all"/; s/"list"/"<b>list<\\/b>"/' list.json`
    await pages.command('marker', script, { workspace: { copy: project } })
    const job = await pages.give('marker')
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to(`/jobs/${job}`)
    await page.locator('.pill').getByText('done').waitFor()
    await visit.to(`/jobs/${job}/review`)
    const file = page.getByRole('region', { name: 'list.json' })
    await file.locator('tr.a').first().waitFor()
    expect(await file.locator('tr.d').allTextContents()).toEqual(['2-  "check": "node check.js",', '3-  "name": "list"'])
    expect(await file.locator('tr.a mark').allTextContents()).toEqual([' --all', '<b>', '</b>'])
    expect(await faultsOf(page, 'review-marks')).toEqual([])
    const rows = file.locator('.diff tr')
    const few = await rows.count()
    await file.getByRole('button', { name: 'Whole file' }).click()
    await file.getByText('"last line": 40').waitFor()
    expect(await rows.count()).toBeGreaterThan(few + 20)
    await file.getByRole('button', { name: 'Comment on line 30' }).click()
    await file.getByRole('textbox', { name: 'Comment' }).waitFor()
    expect(await faultsOf(page, 'review-whole')).toEqual([])
    await file.getByRole('button', { name: 'Whole file' }).click()
    await expect.poll(() => file.getByText('"last line": 40').count()).toBe(0)
    // Viewers cannot expand the file.
    await using viewer = await pages.browser.signedIn('viewer')
    await viewer.to(`/jobs/${job}/review`)
    await viewer.page.getByRole('region', { name: 'list.json' }).locator('tr.a').first().waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Whole file' }).count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('work is given with a budget, and one that cannot be held is refused where it was given', async () => {
    putAgents(pages.fleet.stage, ['claude'])
    await pages.fleet.kill('SIGTERM')
    await pages.fleet.start()
    await pages.fleet.api.POST('/api/v1/agents', { body: { manifest: { name: 'dear', agent: 'claude' } as never } })
    await pages.fleet.api.POST('/api/v1/agents/{agent}/stop', { params: { path: { agent: 'dear' } } })
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/fleet')
    const box = page.getByRole('form', { name: 'New job' })
    await box.getByLabel('Prompt').fill('look at the invoices')
    await box.getByLabel('Agent', { exact: true }).selectOption('one')
    await box.getByRole('button', { name: 'Budget' }).click()
    await box.getByLabel('Budget in $').fill('2.50')
    await box.getByRole('button', { name: 'Run job' }).click()
    await box.getByRole('alert').getByText('command does not report what it uses').waitFor()
    expect(await faultsOf(page, 'give-budget')).toEqual([])
    await box.getByLabel('Agent', { exact: true }).selectOption('dear')
    await box.getByRole('button', { name: 'Run job' }).click()
    await page.waitForURL(/\/jobs\/j-/)
    const facts = page.getByRole('complementary', { name: 'About this job' })
    await facts.getByText('$2.50', { exact: true }).waitFor()
    expect(await faultsOf(page, 'job-budget')).toEqual([])
    expect(visit.complaints.filter((line) => !/status of 422/.test(line))).toEqual([])
  })

  test('heads of the fleet sort it, as its address says, and the box says who would take the work', async () => {
    for (const [name, label] of [
      ['zeta', 'docs'],
      ['alpha', 'docs'],
      ['stopped', 'rare'],
    ] as const)
      await pages.command(name, 'true', { labels: [label] })
    await pages.fleet.api.POST('/api/v1/agents/{agent}/stop', { params: { path: { agent: 'stopped' } } })
    await pages.give('stopped')
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/fleet?q=label:')
    const names = page.locator('table.fleet tbody th a')
    await page.getByRole('columnheader', { name: 'Agent' }).getByRole('link').click()
    expect(page.url()).toContain('sort=agent')
    await expect
      .poll(async () => (await names.allTextContents()).filter((each) => /^(alpha|stopped|zeta)$/.test(each)))
      .toEqual(['alpha', 'stopped', 'zeta'])
    await page.getByRole('columnheader', { name: 'Agent' }).getByRole('link').click()
    await page.locator('th[aria-sort=descending]', { hasText: 'Agent' }).waitFor()
    await expect
      .poll(async () => (await names.allTextContents()).filter((each) => /^(alpha|stopped|zeta)$/.test(each)))
      .toEqual(['zeta', 'stopped', 'alpha'])
    await page.goBack()
    await page.locator('th[aria-sort=ascending]', { hasText: 'Agent' }).waitFor()
    await page.reload()
    await page.getByRole('columnheader', { name: 'Queue' }).getByRole('link').click()
    await expect.poll(() => names.first().textContent()).toBe('stopped')
    const box = page.getByRole('form', { name: 'New job' })
    await box.getByRole('button', { name: 'docs' }).click()
    // The older of the two agents is next.
    await box.getByText('2 free agents match. zeta takes it next.').waitFor()
    await box.getByRole('button', { name: 'rare' }).click()
    await box.getByText('No agent has the labels docs and rare. The job waits.').waitFor()
    await box.getByRole('button', { name: 'docs' }).click()
    await box.getByText('Only stopped matches, and it is stopped. The job waits.').waitFor()
    expect(await faultsOf(page, 'fleet-sorted')).toEqual([])
    await box.getByRole('button', { name: 'rare' }).click()
    await box.getByRole('button', { name: 'docs' }).click()
    await box.getByLabel('Prompt').fill('write')
    await box.getByRole('button', { name: 'Run job' }).click()
    await page.waitForURL(/\/jobs\/j-/)
    await page.getByRole('complementary').getByRole('link', { name: 'zeta' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a held connection is answered on the page of its job, and a job that was cancelled is run again', async () => {
    await pages.command('holds', 'curl -sSf -m 60 http://b.test:8080/ || echo refused', { egress: { ask: ['b.test:8080'] } })
    const job = await pages.give('holds')
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to(`/jobs/${job}`)
    const held = page.getByRole('region', { name: 'Asks: b.test:8080' })
    await held.getByText('b.test:8080').waitFor()
    // The bar at the top is about this job.
    await page.locator('section.banner', { hasText: 'holds' }).waitFor()
    expect(await faultsOf(page, 'job-held')).toEqual([])
    await held.getByRole('button', { name: 'Deny', disabled: false }).click()
    await page.locator('.pill').getByText('done').waitFor()
    await page.getByRole('log').getByText('refused').first().waitFor()
    await pages.command('slow', 'sleep 500')
    const slow = await pages.give('slow')
    await pages.fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: slow } } })
    await visit.to('/jobs')
    await page.getByRole('searchbox', { name: 'Text of the prompt' }).fill('WORK for slow')
    const row = page.getByRole('row').filter({ hasText: 'work for slow' })
    await row.getByText('cancelled').first().waitFor()
    await expect.poll(() => page.locator('table.jobs tbody tr').count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('WORK for slow')
    expect(await faultsOf(page, 'jobs-text')).toEqual([])
    await row.getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL(/\/jobs\/j-/)
    expect(page.url()).not.toContain(slow)
    await page.getByText('work for slow').first().waitFor()
    await page.getByRole('button', { name: 'Cancel job' }).click()
    await page.locator('.pill').getByText('cancelled').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('the audit log is saved as it is filtered, line by line as it is in the log', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/audit?kind=fleet')
    await page.getByRole('columnheader', { name: 'Kind' }).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()])
    expect(download.suggestedFilename()).toMatch(/^audit-[\dT-]+\.jsonl$/)
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; kind: string })
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.every(({ kind }) => kind.startsWith('fleet.'))).toBe(true)
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map(({ seq }) => seq).sort((one, other) => one - other))
    expect(lines[0]).not.toHaveProperty('origin')
    expect(await faultsOf(page, 'audit-export')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('an agent that speaks ACP is defined by its command', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/new-agent')
    await page.getByLabel('Name', { exact: true }).fill('speaks')
    await page.getByLabel('Agent', { exact: true }).selectOption('acp')
    await page.getByLabel('Command', { exact: true }).fill('sh\n-c\ncat')
    expect(await page.getByLabel('Credential', { exact: true }).count()).toBe(0)
    await page.getByLabel('Isolation level', { exact: true }).selectOption('L1')
    expect(await faultsOf(page, 'new-agent-acp')).toEqual([])
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.waitForURL(/\/agents\/speaks\/jobs$/)
    const { data } = await pages.fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'speaks' } } })
    expect(data?.manifest).toMatchObject({ agent: 'acp', command: ['sh', '-c', 'cat'], posture: 'L1' })
    await visit.to('/agents/speaks/manifest')
    await page.getByLabel('Labels', { exact: true }).fill('chat')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2').waitFor()
    const { data: edited } = await pages.fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'speaks' } } })
    expect(edited?.manifest).toMatchObject({ agent: 'acp', labels: ['chat'] })
    await visit.to('/agents/speaks/policy')
    await page.getByText('No guarantees have been tested since the server started.').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('settings say how Discord is set up', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/settings#discord')
    const part = page.getByRole('region', { name: 'Discord' })
    await part.getByText('No bot is connected.').waitFor()
    const channel = {
      ...{ channel: '123456789012345678', agent: 'one', agentId: 'a-1', users: ['1', '2'], createdAt: '2026-01-01T00:00:00Z' },
      posts: { waiting: 3, posted: 0, givenUp: 0, problem: null },
    }
    const refused = { channel: 0, user: 0, program: 0, system: 0 }
    const bot = { id: '1', name: 'paddock-bot', createdAt: '2026-01-01T00:00:00Z' }
    await page.route('**/api/v1/discord', (route) =>
      route.fulfill({ json: { state: 'ready', bot, problem: null, taken: 0, refused, channels: [channel] } }),
    )
    await page.reload()
    await part.getByText('connected', { exact: true }).waitFor()
    await part.getByText('123456789012345678').waitFor()
    await part.getByText('2 users · 3 messages waiting').waitFor()
    expect(await faultsOf(page, 'settings-discord')).toEqual([])
  })
})
