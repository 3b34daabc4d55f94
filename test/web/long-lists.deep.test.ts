import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

/** The maximum number of drawn rows: those near the window, far fewer than there are. */
const drawn = 120

describe('long lists, over a real server', () => {
  let pages: FleetPages
  const agents = 500
  beforeAll(async () => {
    pages = await openFleetPages()
    for (let n = 1; n <= agents; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, k) => pages.command(`agent-${String(n + k).padStart(3, '0')}`, 'true')))
  })
  afterAll(() => pages[Symbol.asyncDispose]())
  const rowsOf = (page: Page) => page.locator('table.windowed tbody tr:not(.unshown)')
  const toEnd = (page: Page) => page.evaluate('scrollTo({ top: document.documentElement.scrollHeight })')

  test('a fleet of 500 agents draws those near the window, says how many there are, and keys reach all', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/fleet')
    await page.getByRole('button', { name: '500 agents that rest: show' }).click()
    const table = page.getByRole('region', { name: 'Agents' }).getByRole('table')
    await table.getByText('agent-001', { exact: true }).waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('501')
    expect(await rowsOf(page).count()).toBeLessThan(drawn)
    expect(await rowsOf(page).first().getAttribute('aria-rowindex')).toBe('2')
    expect(await faultsOf(page, 'fleet-500')).toEqual([])
    for (let n = 0; n < 60; n += 1) await page.keyboard.press('j')
    const focused = page.locator('tr.focus')
    await expect.poll(() => focused.getAttribute('data-agent')).toBe('agent-060')
    await expect
      .poll(() =>
        page.evaluate(
          `(({ top, bottom }) => top > 0 && bottom <= innerHeight)(document.querySelector('tr.focus').getBoundingClientRect())`,
        ),
      )
      .toBe(true)
    await toEnd(page)
    const last = table.locator('tr[data-agent="agent-500"]')
    await last.waitFor()
    expect(await last.getAttribute('aria-rowindex')).toBe('501')
    expect(await rowsOf(page).count()).toBeLessThan(drawn)
    expect(await table.locator('tr[data-agent="agent-001"]').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('older jobs are loaded page by page, and of 300 those near the window are drawn', async () => {
    await pages.fleet.api.POST('/api/v1/agents/{agent}/stop', { params: { path: { agent: 'agent-001' } } })
    for (let n = 0; n < 300; n += 50) await Promise.all(Array.from({ length: 50 }, () => pages.give('agent-001')))
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/jobs')
    const older = page.getByRole('button', { name: 'Load older jobs' })
    await older.click()
    const table = page.locator('table.jobs.windowed')
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('201')
    await older.click()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('301')
    await older.click()
    await older.waitFor({ state: 'detached' })
    expect(await table.getAttribute('aria-rowcount')).toBe('301')
    expect(await rowsOf(page).count()).toBeLessThan(drawn)
    await toEnd(page)
    await table.locator('tr[aria-rowindex="301"]').getByText('work for agent-001').waitFor()
    expect(await faultsOf(page, 'jobs-300')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('the audit log draws the rows near the window, and a row in its middle unfolds', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/audit')
    const older = page.getByRole('button', { name: 'Load older rows' })
    await older.click()
    const table = page.locator('table.audit.windowed')
    await table.waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('201')
    expect(await rowsOf(page).count()).toBeLessThan(drawn)
    // At the end of the page, the last 20 of them are in the window.
    await toEnd(page)
    const row = table.locator('tr[aria-rowindex="195"]')
    await row.getByRole('button').click()
    await table.locator('tr[aria-rowindex="196"] pre').getByText('"kind"').waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('202')
    expect(await faultsOf(page, 'audit-200')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('a diff of 5,000 lines draws the lines near the window, and each takes a comment', async () => {
    await pages.command('writes', 'seq 1 5000 > numbers.txt; echo 1 > one.txt', { workspace: { copy: pages.fleet.stage.project } })
    const job = await pages.give('writes')
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to(`/jobs/${job}`)
    await page.locator('.pill').getByText('done').waitFor()
    await visit.to(`/jobs/${job}/review`)
    const file = page.getByRole('region', { name: 'numbers.txt' })
    await file.locator('tr.a').first().waitFor()
    expect(await file.getByRole('table').getAttribute('aria-rowcount')).toBe('5001')
    expect(await rowsOf(page).count()).toBeLessThan(drawn)
    await page.getByRole('region', { name: 'one.txt' }).locator('header').scrollIntoViewIfNeeded()
    const line = file.getByRole('button', { name: 'Comment on line 5000' })
    await line.click()
    await file.getByLabel('Comment', { exact: true }).fill('Stop at 4,000.')
    await file.getByRole('button', { name: 'Save comment' }).click()
    await file.getByText('Your comment on line 5000').waitFor()
    expect(await rowsOf(page).count()).toBeLessThan(drawn)
    await page.getByRole('button', { name: 'Continue with 1 comment' }).waitFor()
    expect(await faultsOf(page, 'review-5000')).toEqual([])
    expect(visit.complaints).toEqual([])
  })
})
