import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

describe('pages over a real server', () => {
  let pages: FleetPages
  beforeAll(async () => {
    pages = await openFleetPages()
  })
  afterAll(() => pages[Symbol.asyncDispose]())
  const state = async (job: string): Promise<string> =>
    (await pages.fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job } } })).data?.state ?? ''
  /** Starts the server again at the address that pages use. */
  const startAgain = (): Promise<void> => pages.fleet.start(['--listen', new URL(pages.fleet.url).host])
  const ticks = async (page: Page): Promise<readonly number[]> =>
    (await page.locator('.events .say').allTextContents()).flatMap((each) => /^tick (\d+)$/.exec(each)?.[1] ?? []).map(Number)
  const fromOne = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1)

  test('a job is shown again after a lost network, and after the server was killed', async () => {
    await pages.command('ticker', 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "tick $i"; sleep 0.4; done')
    await using visit = await pages.browser.signedIn()
    const { page, context } = visit
    await visit.to(`/jobs/${await pages.give('ticker')}`)
    await page.getByText('tick 3', { exact: true }).waitFor()
    await context.setOffline(true)
    await page.getByText('Offline').first().waitFor()
    // Loaded data stays readable, but is not shown as current.
    await page.getByText('tick 3', { exact: true }).waitFor()
    await page.getByText('was running').first().waitFor()
    await context.setOffline(false)
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
    await pages.fleet.kill('SIGKILL')
    await page.getByText('Offline').first().waitFor()
    await startAgain()
    await page.locator('.pill').getByText('done').waitFor()
    await page.getByText('tick 20', { exact: true }).waitFor()
    expect(await ticks(page)).toEqual(fromOne(20))
  })

  test('on a phone and only by keyboard, work is given, a question is answered, and nothing is answered twice', async () => {
    await pages.command('asks', 'curl -sS -m 60 http://a.test:8080/ || true; echo over', { egress: { ask: ['a.test:8080'] } })
    await using visit = await pages.browser.signedIn('owner', { viewport: { width: 390, height: 844 }, hasTouch: true })
    const { page } = visit
    await visit.to('/agents/asks/jobs')
    await page.getByLabel('Prompt').waitFor()
    await page.keyboard.press('w')
    await page.waitForURL(/\/fleet$/)
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('prompt')
    await page.keyboard.type('reach it')
    await page.keyboard.press('Tab')
    await page.keyboard.type('asks')
    for (let n = 0; n < 6 && !(await focused(page)).startsWith('Run job'); n += 1) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/jobs\/j-/)
    const job = new URL(page.url()).pathname.split('/')[2] ?? ''
    await page.getByText('Held:').first().waitFor()
    // On a phone the inbox comes first if something is waiting.
    await visit.to('/')
    await page.waitForURL(/\/inbox$/)
    await visit.to(`/jobs/${job}`)
    await page.getByText('Held:').first().waitFor()
    await using second = await pages.browser.signedIn()
    await second.to('/inbox')
    await second.page.getByRole('heading', { name: 'May asks reach this?' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.waitForURL(/\/inbox$/)
    await page.getByRole('heading', { name: /^Waiting for you/ }).waitFor()
    await page.keyboard.press('j')
    await page.waitForURL(/\/inbox\/.+/)
    await page.getByRole('heading', { name: 'May asks reach this?' }).waitFor()
    // The second page learns of the answer only when it answers itself, because its connection is cut.
    await second.page.route('**/api/v1/events', (route) => route.abort())
    await second.page.route('**/api/v1/inbox', (route) => route.abort())
    await page.waitForTimeout(600)
    await page.keyboard.press('n')
    await page.getByText('Nothing is waiting for you').or(page.getByText('Denied')).first().waitFor()
    await second.page.getByRole('button', { name: /^Allow once/ }).click()
    await second.page.getByRole('alert').first().waitFor()
    await expect.poll(() => state(job)).toBe('done')
    const { data } = await pages.fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job } } })
    expect(data?.promptStart).toBe('reach it')
    expect(visit.complaints).toEqual([])
  })

  test("an agent's output is shown as text: it runs nothing and requests nothing", async () => {
    const asked: string[] = []
    const trap = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    }).listen(0, '127.0.0.1')
    await once(trap, 'listening')
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`
    const lines = [
      `<script>document.title='taken'</script>`,
      `<img src="${url}/img" onerror="document.title='taken'">`,
      `![picture](${url}/markdown)`,
      `[a link](javascript:document.title='taken')`,
      `[another](${url}/link) <iframe src="${url}/frame"></iframe>`,
      `# A heading of the page`,
      `<button>Allow once</button> \u202eesrever\u202c \u001b]0;taken\u0007 \u001b[2J \u200bhidden`,
      `| a | b |\n|---|---|\n${'x'.repeat(100_000)}`,
    ]
    const program = `process.stdin.resume(); for (const each of ${JSON.stringify(lines)}) console.log(each); process.stdout.write(Buffer.from([255, 254, 10])); console.log('y'.repeat(3e6)); console.log('over')`
    await pages.command('hostile', `cat > p.mjs <<'X'\n${program}\nX\nnode p.mjs`)
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    const requests: string[] = []
    page.on('request', (request) => void (request.url().startsWith(pages.fleet.url) ? undefined : requests.push(request.url())))
    await visit.to(`/jobs/${await pages.give('hostile')}`)
    await page.locator('.pill').getByText('done').waitFor()
    await page.getByText('over', { exact: true }).waitFor()
    await page.getByText('<script>').first().waitFor()
    await page.getByText('\\u{202e}esrever\\u{202c}').first().waitFor()
    expect(await page.title()).toBe('work for hostile – Paddock')
    expect(await page.locator('main script, main iframe, main img, main h1').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
    await visit.to('/agents/hostile/conversation')
    await page.getByText('work for hostile').first().waitFor()
    await visit.to('/agents/hostile/files?path=p.mjs')
    await page.getByText('process.stdin.resume').first().waitFor()
    expect(requests.filter((each) => !each.startsWith('data:'))).toEqual([])
    expect(asked).toEqual([])
    expect(visit.complaints).toEqual([])
    trap.close()
  })

  test('a page of another site gets no socket, no answer and no frame, though the browser is signed in', async () => {
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>other</title>')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    const ws = pages.fleet.url.replace('http', 'ws')
    const protocols = (): Promise<readonly string[]> =>
      page.evaluate<string[]>(
        `fetch('/api/v1/tickets', { method: 'POST', headers: { 'x-paddock-session': localStorage.getItem('paddock.session') } }).then((r) => r.json()).then((b) => b.protocols)`,
      )
    const opened = (offered: readonly string[]): Promise<string> =>
      page.evaluate<string>(
        `new Promise((resolve) => { const socket = new WebSocket(${JSON.stringify(`${ws}/api/v1/watch`)}, ${JSON.stringify(offered)}); socket.onopen = () => { socket.close(); resolve('open') }; socket.onerror = () => resolve('refused') })`,
      )
    const tickets = [await protocols(), await protocols()] as const
    expect(await opened(tickets[0])).toBe('open')
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    // Neither the session cookie, which is same-site here, nor a ticket helps.
    expect(await opened(tickets[1])).toBe('refused')
    expect(await opened(tickets[1].slice(0, 1))).toBe('refused')
    const fetched = await page.evaluate<string>(
      `fetch(${JSON.stringify(`${pages.fleet.url}/api/v1/session`)}, { credentials: 'include' }).then(() => 'answered', () => 'refused')`,
    )
    expect(fetched).toBe('refused')
    await page.evaluate(
      `{ const frame = document.createElement('iframe'); frame.src = ${JSON.stringify(`${pages.fleet.url}/fleet`)}; document.body.append(frame) }`,
    )
    await expect.poll(() => visit.complaints.join()).toMatch(/frame-ancestors|Refused to (?:frame|display)|Framing/)
    expect(page.frames().filter((each) => each.url().startsWith(pages.fleet.url))).toEqual([])
    other.close()
  })

  test('a viewer is offered only reading, and a session that was ended says so', async () => {
    await using visit = await pages.browser.signedIn('viewer')
    const { page } = visit
    await visit.to('/fleet')
    await page.getByRole('link', { name: 'ticker' }).waitFor()
    expect(await page.getByLabel('Prompt').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New agent' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    await visit.to('/agents/ticker/manifest')
    await page.getByText('Values are shown as …. Only operators and owners can see them.').waitFor()
    expect(await page.getByRole('textbox', { name: 'YAML' }).inputValue()).toContain('- …')
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    // The session is ended in another place.
    const status = await page.evaluate(
      `fetch('/api/v1/session', { method: 'DELETE', headers: { 'x-paddock-session': localStorage.getItem('paddock.session') } }).then((r) => r.status)`,
    )
    expect(status).toBe(204)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByText('paddock open').waitFor()
    const token = page.getByLabel('Or use a token')
    await token.fill('pdk_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This token is not valid here. It may have expired or been revoked.').waitFor()
    expect(await token.inputValue()).toBe('')
    expect(await faultsOf(page, 'sign-in')).toEqual([])
    const { data } = await pages.fleet.api.POST('/api/v1/tokens', { body: { name: 'page', role: 'viewer', expiresAt: null } })
    await token.fill(data?.token ?? '')
    await token.press('Enter')
    await page.getByRole('heading', { name: 'Fleet' }).waitFor()
    await pages.fleet.api.POST('/api/v1/tokens/{token}/revoke', { params: { path: { token: 'page' } } })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('a page of yesterday says that the server is another one, and loses nothing that was written', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/agents/ticker/jobs')
    await page.getByLabel('Prompt').fill('half of a thought')
    // Like after an update: the page names another build, and the chunks of the old one no longer exist.
    await page.route('**/login', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<meta name="paddock-build" content="another" />' }),
    )
    await page.route(/\/inbox-[\w-]+\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
    await pages.fleet.kill('SIGKILL')
    await page.getByText('Offline').first().waitFor()
    await startAgain()
    await page.getByText('The server has a different version than this page.').waitFor()
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByText('This page could not be loaded.').waitFor()
    await page.unroute('**/login')
    await page.unroute(/\/inbox-[\w-]+\.js$/)
    await page.getByRole('button', { name: 'Reload' }).first().click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await visit.to('/agents/ticker/jobs')
    expect(await page.getByLabel('Prompt').inputValue()).toBe('half of a thought')
  })
})

const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement?.textContent ?? ""')
