import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { putAgents } from '../support/fake-agents.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

describe('the agents that are selected', () => {
  let pages: FleetPages
  beforeAll(async () => {
    pages = await openFleetPages()
    await pages.command('one', 'echo over; exec cat')
  })
  afterAll(() => pages[Symbol.asyncDispose]())

  test('agents are selected by key, and stopped and started together', async () => {
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/fleet')
    await page.getByRole('link', { name: 'one', exact: true }).waitFor()
    const rows = await page.locator('table.fleet tbody tr').count()
    for (let n = 0; n < rows; n += 1) for (const key of ['j', 'x']) await page.keyboard.press(key)
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText(/\d agents? selected/).waitFor()
    expect(await page.locator('tr[aria-selected=true]').count()).toBe(rows)
    expect(await faultsOf(page, 'selection')).toEqual([])
    await bar.getByRole('button', { name: 'Stop' }).click()
    await bar.waitFor({ state: 'detached' })
    await page.locator('tr[data-agent=one] .st', { hasText: 'stopped' }).waitFor()
    await page.keyboard.press('x')
    await bar.getByText('1 agent selected').waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
  })

  test('agents are selected by touch on a phone, and by Tab and Space', async () => {
    await using visit = await pages.browser.signedIn('operator', { viewport: { width: 390, height: 844 }, hasTouch: true })
    const { page } = visit
    await visit.to('/fleet')
    const box = page.getByRole('checkbox', { name: 'Select one' })
    // A finger is wider than the checkbox, so the area around it also accepts the touch.
    const { width = 0, height = 0, x = 0, y = 0 } = (await box.locator('xpath=..').boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    await page.touchscreen.tap(x + 3, y + 3)
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('1 agent selected').waitFor()
    expect(await box.isChecked()).toBe(true)
    expect(await page.locator('tr[aria-selected=true]').getAttribute('data-agent')).toBe('one')
    // The bar is above the navigation at the bottom.
    const [above, below] = [await bar.boundingBox(), await page.getByRole('navigation', { name: 'Main' }).boundingBox()]
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
    await bar.getByRole('button', { name: 'Clear' }).tap()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Filter' }).focus()
    // The control for the sort order comes in between.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await bar.getByText('1 agent selected').waitFor()
    // The keys of the list still work there.
    for (const key of ['j', 'x', 'k']) await page.keyboard.press(key)
    expect(await faultsOf(page, 'selection-boxes')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('a viewer has nothing to select', async () => {
    await using visit = await pages.browser.signedIn('viewer')
    await visit.to('/fleet')
    await visit.page.locator('tr[data-agent=one]').waitFor()
    expect(await visit.page.getByRole('checkbox').count()).toBe(0)
    await visit.page.keyboard.press('j')
    await visit.page.keyboard.press('x')
    expect(await visit.page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  })

  test('an agent that cannot be started does not keep the others from it, and stays selected with the reason', async () => {
    putAgents(pages.fleet.stage, ['claude'])
    await pages.fleet.kill('SIGTERM')
    await pages.fleet.start()
    const { error } = await pages.fleet.api.POST('/api/v1/agents', { body: { manifest: { name: 'away', agent: 'claude' } as never } })
    expect(error).toBeUndefined()
    for (const agent of ['away', 'one']) await pages.fleet.api.POST('/api/v1/agents/{agent}/stop', { params: { path: { agent } } })
    rmSync(path.join(pages.fleet.stage.root, 'bin/claude'))
    await pages.fleet.api.POST('/api/v1/capabilities')
    await using visit = await pages.browser.signedIn()
    const { page } = visit
    await visit.to('/fleet')
    await page.locator('tr[data-agent=away]').waitFor()
    const rows = await page.locator('table.fleet tbody tr').count()
    for (let n = 0; n < rows; n += 1) for (const key of ['j', 'x']) await page.keyboard.press(key)
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText(`${rows} agents selected`).waitFor()
    await bar.getByRole('button', { name: 'Start' }).click()
    await bar.getByRole('alert').getByText('away: claude is not installed on this machine.').waitFor()
    await bar.getByText('1 agent selected').waitFor()
    expect(await page.locator('tr[aria-selected=true]').getAttribute('data-agent')).toBe('away')
    await page.locator('tr[data-agent=one] .st', { hasText: 'idle' }).waitFor()
    await page.locator('tr[data-agent=away] .st', { hasText: 'stopped' }).waitFor()
    expect(await faultsOf(page, 'selection-failed')).toEqual([])
    expect(visit.complaints.filter((line) => !/status of 4\d\d/.test(line))).toEqual([])
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
  })
})
