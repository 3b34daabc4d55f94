import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paddock } from '../support/cli.ts'
import { calling, startModelFleet } from '../support/fleet-models.ts'
import type { FleetServer } from '../support/fleet-server.ts'

/** Where pictures of each view go; unset: nowhere. */
const pictures = process.env['PADDOCK_PICTURES']

describe('the page, in Chromium', () => {
  let models: Awaited<ReturnType<typeof startModelFleet>>
  let fleet: FleetServer
  let browser: Browser
  beforeAll(async () => {
    models = await startModelFleet()
    fleet = models.fleet
    // It runs as root in a machine of tests, where its own sandbox does not start.
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  })
  afterAll(async () => {
    await browser.close()
    await models[Symbol.asyncDispose]()
  })

  const link = async (): Promise<string> => {
    const { stdout, stderr } = await paddock(fleet.stage, ['open', '--data', fleet.data])
    expect(stderr).toMatch(/^paddock: open it in a browser within 5 minutes; it works once, with the rights of owner\n$/)
    return stdout.trim()
  }
  /** A browser of its own, and what it complained about. */
  const opened = async (options: Parameters<Browser['newContext']>[0] = {}) => {
    const context: BrowserContext = await browser.newContext(options)
    const page: Page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => void (['error', 'warning'].includes(message.type()) ? complaints.push(message.text()) : undefined))
    page.on('pageerror', (error) => void complaints.push(String(error)))
    return { context, page, complaints }
  }
  const picture = async (page: Page, name: string): Promise<void> => {
    if (pictures === undefined) return
    for (const [theme, size] of [
      ['light', { width: 1280, height: 800 }],
      ['dark', { width: 1280, height: 800 }],
      ['light', { width: 390, height: 844 }],
      ['dark', { width: 390, height: 844 }],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize(size)
      await page.screenshot({ path: path.join(pictures, `${name}-${theme}-${size.width}.png`) })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  }

  test('a link signs in once, work is given and seen as it happens, and what an agent prints is text', async () => {
    const { context, page, complaints } = await opened()
    const url = await link()
    expect(new URL(url).pathname).toBe('/login')
    await page.goto(url)
    await page.getByText('There is no agent yet').waitFor()
    expect(page.url()).toBe(`${new URL(url).origin}/fleet`)
    expect(await page.evaluate('document.cookie')).toBe('')
    await picture(page, 'fleet-empty')
    const print = 'echo "<img src=x onerror=alert(1)><b>bold</b>"; read -r a; echo "$a" > seen.txt; sleep 2; echo over'
    await fleet.api.POST('/api/v1/agents', {
      body: { manifest: { name: 'echo', agent: 'command', command: ['sh', '-c', print], egress: { policy: 'off' } } },
    })
    // Without a reload.
    await page.getByRole('row', { name: /idle echo ?command/ }).waitFor()
    await page.getByLabel('Prompt').fill('a word')
    await page.getByRole('button', { name: /Give work/ }).click()
    await page.waitForURL(/\/jobs\/j-/)
    await page.getByRole('log').getByText('<img src=x onerror=alert(1)><b>bold</b>').waitFor()
    await picture(page, 'job-running')
    await page.getByLabel('Result').getByText('seen.txt').waitFor()
    await page.getByLabel('Prompt').getByText('done').waitFor()
    await picture(page, 'job-done')
    await page.getByRole('link', { name: 'Jobs' }).first().click()
    await page.getByRole('row', { name: /done a word echo/ }).waitFor()
    await picture(page, 'jobs')
    await page.goBack()
    await page.getByLabel('Result').waitFor()

    const second = await opened()
    await second.page.goto(url)
    await second.page.getByText('The login code is unknown, was used, or is older than five minutes.').waitFor()
    await picture(second.page, 'login-used')
    await second.context.close()

    await page.getByRole('link', { name: 'Fleet' }).first().click()
    await picture(page, 'fleet')
    await fleet.kill('SIGKILL')
    await page.getByText('Not connected').first().waitFor()
    await page.getByRole('row', { name: /echo ?command/ }).waitFor()
    await picture(page, 'fleet-offline')
    expect(
      complaints.filter((each) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_NETWORK|ERR_EMPTY_RESPONSE/.test(each)),
    ).toEqual([])
    await context.close()
  })

  test('a question of a cell waits in the inbox, and is answered there', async () => {
    await fleet.start()
    const ask = 'curl -sS -m 60 http://a.test:8080/ || true; echo over'
    const manifest = { name: 'asks', agent: 'command', command: ['sh', '-c', ask], egress: { ask: ['a.test:8080'] } }
    await fleet.api.POST('/api/v1/agents', { body: { manifest } })
    const { context, page, complaints } = await opened()
    await page.goto(await link())
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByText('Nothing waits for you.').waitFor()
    const { data } = await fleet.api.POST('/api/v1/jobs', { body: { agent: 'asks', labels: [], prompt: 'ask' } })
    await page.getByText('asks asks: connect to a.test:8080').waitFor()
    await picture(page, 'inbox')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Nothing waits for you.').waitFor()
    await page.goto(`${new URL(page.url()).origin}/jobs/${data?.id ?? ''}`)
    await page.getByLabel('Prompt').getByText('done').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a held call and the question of a model wait in the inbox, and are answered there', async () => {
    models.scripts.set(
      'write',
      calling([
        ['bash', { command: 'echo "<b>draft</b>" > draft.md' }],
        ['ask', { question: 'Which name shall the release have?\nIt is on the first page.' }],
      ]),
    )
    await models.create('writer', { tools: ['ask bash', 'ask'] })
    const { context, page, complaints } = await opened()
    await page.goto(await link())
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    const { data } = await fleet.api.POST('/api/v1/jobs', { body: { agent: 'writer', labels: [], prompt: 'write the notes' } })
    await page.getByText('writer wants to call bash {"command":"echo \\"<b>draft</b>\\" > draft.md"}').waitFor()
    await picture(page, 'inbox-tool')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText('Which name shall the release have?').waitFor()
    await picture(page, 'inbox-question')
    await page.getByLabel('Your answer').fill('Quince')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('Nothing waits for you.').waitFor()
    await page.goto(`${new URL(page.url()).origin}/jobs/${data?.id ?? ''}`)
    await page.getByLabel('Prompt').getByText('done').waitFor()
    await page.getByRole('log').getByText('Quince').last().waitFor()
    await picture(page, 'job-model')
    expect(complaints).toEqual([])
    await context.close()
  })
})
