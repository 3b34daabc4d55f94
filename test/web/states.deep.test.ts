import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, openBrowser, type TestBrowser, type Visit } from '../support/browser.ts'
import { type FleetServer, startFleet } from '../support/fleet-server.ts'

/** Every view, by the name of its screenshot. `ID` is a job that has ended, `TERMINAL` an open terminal. */
const views = {
  fleet: '/fleet',
  inbox: '/inbox',
  'inbox-one': '/inbox/q-none',
  'agent-jobs': '/agents/one/jobs',
  'agent-conversation': '/agents/one/conversation',
  'agent-files': '/agents/one/files',
  'agent-terminal': '/agents/one/terminal',
  'agent-memory': '/agents/one/memory',
  'agent-schedules': '/agents/one/schedules',
  'agent-leases': '/agents/one/leases',
  'agent-policy': '/agents/one/policy',
  'agent-manifest': '/agents/one/manifest',
  'agent-nobody': '/agents/nobody',
  terminal: '/sessions/TERMINAL',
  'new-agent': '/new-agent',
  jobs: '/jobs',
  job: '/jobs/ID',
  'job-none': '/jobs/j-none',
  review: '/jobs/ID/review',
  egress: '/egress',
  credentials: '/credentials',
  audit: '/audit',
  guarantees: '/guarantees',
  usage: '/usage',
  contests: '/contests',
  contest: '/contests/none',
  suite: '/suites?directory=/nowhere',
  more: '/more',
  settings: '/settings',
} as const
type View = keyof typeof views

/** Views that show content before any data from the server arrives. */
const needNothing: readonly View[] = ['new-agent', 'more']

describe('every page while it loads, when the server fails, and offline', () => {
  let fleet: FleetServer
  let browser: TestBrowser
  const found: Record<string, string> = {}
  beforeAll(async () => {
    fleet = await startFleet()
    browser = await openBrowser(fleet)
    const manifest = { name: 'one', agent: 'command', command: ['sh', '-c', 'echo over; exec cat'], egress: { policy: 'off' } }
    await fleet.api.POST('/api/v1/agents', { body: { manifest: manifest as never } })
    const job = await fleet.api.POST('/api/v1/jobs', { body: { agent: 'one', labels: [], prompt: 'say it is over' } })
    found['ID'] = job.data?.id ?? ''
    const session = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
      params: { path: { agent: 'one' } },
      body: {},
    })
    found['TERMINAL'] = session.data?.id ?? ''
    expect(Object.values(found)).not.toContain('')
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await fleet[Symbol.asyncDispose]()
  })
  const address = (view: View): string => views[view].replace(/ID|TERMINAL/, (name) => found[name] ?? '')
  /** Returns a visit with a different handler for data requests. The session and events work as usual. */
  const visitWith = async (handle: (route: Route) => Promise<void>): Promise<Visit> => {
    const visit = await browser.signedIn()
    await visit.page.route(/\/api\/v1\/(?!session$|events)/, handle)
    return visit
  }
  /** Checks every view in turn and returns all faults. */
  const inEach = async (look: (view: View) => Promise<readonly string[]>): Promise<readonly string[]> => {
    const faults: string[] = []
    for (const view of Object.keys(views) as View[]) {
      const seen = await look(view).catch((error: unknown) => [String(error).split('\n').slice(0, 4).join(' ')])
      faults.push(...seen.map((fault) => `${view}: ${fault}`))
    }
    return faults
  }

  test('while it loads, a page says so, or shows what needs no data', async () => {
    await using visit = await visitWith(() => Promise.resolve())
    const faults = await inEach(async (view) => {
      await visit.to(address(view))
      const main = visit.page.getByRole('main')
      // A terminal only loads code, which may be ready before the test looks.
      const isShown = view === 'terminal' || needNothing.includes(view)
      if (!isShown) await main.getByText('Loading …').first().waitFor({ state: 'attached', timeout: 10_000 })
      else await main.locator('a, button').first().waitFor()
      return faultsOf(visit.page, `${view}-loading`, { isQuick: true })
    })
    expect(faults).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  // A terminal retries on its own.
  test('when the server fails, a page says what failed and offers to try again', async () => {
    const problem = { type: 'urn:paddock:problem:internal', title: 'Internal Server Error', status: 500, detail: 'The disk is full.' }
    await using visit = await visitWith((route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify({ ...problem, code: 'INTERNAL' }) }),
    )
    const faults = await inEach(async (view) => {
      await visit.to(address(view))
      const main = visit.page.getByRole('main')
      if (!needNothing.includes(view))
        await main
          .getByText(view === 'terminal' ? 'Offline' : 'The disk is full.')
          .first()
          .waitFor({ timeout: 10_000 })
      else await main.locator('a, button').first().waitFor()
      return faultsOf(visit.page, `${view}-error`, { isQuick: true })
    })
    expect(faults).toEqual([])
    expect(visit.complaints.filter((line) => !/status of 500/.test(line))).toEqual([])
  })

  test('offline, a page keeps what was loaded and says since when', async () => {
    await using visit = await browser.signedIn()
    const faults = await inEach(async (view) => {
      await visit.context.setOffline(false)
      await visit.to(address(view))
      const main = visit.page.getByRole('main')
      // The page is empty before its first text.
      await expect.poll(() => main.textContent()).not.toMatch(/^$|Loading …/)
      await visit.page.getByText('Live').first().waitFor({ state: 'attached' })
      const before = ((await main.textContent()) ?? '').length
      await visit.context.setOffline(true)
      await visit.page.getByText('Offline').first().waitFor({ state: 'attached' })
      expect(((await main.textContent()) ?? '').length, view).toBeGreaterThan(before / 2)
      return faultsOf(visit.page, `${view}-offline`, { isQuick: true })
    })
    expect(faults).toEqual([])
    expect(visit.complaints.filter((line) => !/ERR_INTERNET_DISCONNECTED|ERR_ABORTED|status of 40[34]|WebSocket/.test(line))).toEqual([])
  })
})
