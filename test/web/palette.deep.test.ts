import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

describe('the palette', () => {
  let pages: FleetPages
  beforeAll(async () => {
    pages = await openFleetPages()
    await pages.command('docs-writer', 'exec cat')
  })
  afterAll(() => pages[Symbol.asyncDispose]())

  test('an agent is stopped and started, and its places open here or in a new tab', async () => {
    await using visit = await pages.browser.signedIn()
    const { page, context } = visit
    await visit.to('/jobs')
    // The page handles keys once it is connected.
    await page.getByText('Live').first().waitFor()
    const find = async (words: string, entry: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find or run' }).fill(words)
      await page.getByRole('option', { name: entry, selected: true }).waitFor()
    }
    await find('docs', 'docs-writer')
    for (const name of [
      'New job for docs-writer',
      'Stop docs-writer',
      'Open a terminal in docs-writer',
      'Audit of docs-writer',
      'Egress of docs-writer',
    ])
      await page.getByRole('option', { name }).waitFor()
    expect(await faultsOf(page, 'palette-agent')).toEqual([])
    await page.getByRole('option', { name: 'Stop docs-writer' }).click()
    await page.getByText('docs-writer is stopped').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await find('start docs', 'Start docs-writer')
    await page.keyboard.press('Enter')
    await page.getByText('docs-writer is started').waitFor()
    await find('egress of docs', 'Egress of docs-writer')
    const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
    await tab.waitForURL(/\/egress\?agent=docs-writer$/)
    // A page in the background renders nothing, so there is nothing to wait for.
    await tab.close()
    await page.bringToFront()
    expect(new URL(page.url()).pathname).toBe('/jobs')
    await find('audit of docs', 'Audit of docs-writer')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/audit\?agent=docs-writer$/)
    expect(visit.complaints).toEqual([])
  })

  test('a refusal of the server is shown in the palette, which stays open', async () => {
    await using visit = await pages.browser.signedIn('operator')
    const { page } = visit
    // A page that is already loaded may send its next request past a new route.
    await page.route('**/api/v1/agents/*/stop', (route) => route.abort())
    await visit.to('/fleet')
    await page.getByText('Live').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or run' }).fill('stop docs')
    await page.getByRole('option', { name: 'Stop docs-writer', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await page.getByRole('option', { name: 'Audit of' }).count()).toBe(0)
  })
})
