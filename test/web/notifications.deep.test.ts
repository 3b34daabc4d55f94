import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

interface Kept {
  readonly text: string
}

describe('notifications of jobs', () => {
  let pages: FleetPages
  beforeAll(async () => {
    pages = await openFleetPages()
    await pages.command('good', 'exec cat')
    await pages.command('bad', 'exit 3')
  })
  afterAll(() => pages[Symbol.asyncDispose]())

  test('a hidden page notifies of the jobs that were chosen, and of no others', async () => {
    await using visit = await pages.browser.signedIn('operator', { permissions: ['notifications'] })
    const { page } = visit
    await visit.to('/settings')
    await page.getByLabel('A job is done').check()
    await page.getByLabel('A job failed or was interrupted').uncheck()
    // A headless browser never hides a tab on its own.
    await page.evaluate(
      'Object.defineProperty(document, "visibilityState", { value: "hidden" }); Object.defineProperty(document, "hidden", { value: true })',
    )
    await page.getByText('Live').first().waitFor()
    for (const [agent, prompt] of [
      ['bad', 'what fails'],
      ['good', 'write the notes'],
    ] as const)
      await pages.fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt } })
    const notified = async (): Promise<readonly string[]> =>
      (JSON.parse(String(await page.evaluate('localStorage.getItem("paddock.notified") ?? "[]"'))) as readonly Kept[]).map(
        ({ text }) => text,
      )
    await expect.poll(notified, { timeout: 20_000 }).toEqual(['write the notes'])
  })
})
