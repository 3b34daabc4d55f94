import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, openBrowser, type TestBrowser } from '../support/browser.ts'
import { calling, type ModelFleet, startModelFleet } from '../support/fleet-models.ts'

describe('the page, from the link to the applied change', () => {
  let models: ModelFleet
  let browser: TestBrowser
  beforeAll(async () => {
    models = await startModelFleet()
    browser = await openBrowser(models.fleet)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await models[Symbol.asyncDispose]()
  })

  test('an agent is defined in the form, works, asks, is answered, and its change is applied', async () => {
    const { fleet, scripts } = models
    const { stage } = fleet
    await using visit = await browser.open()
    const { page } = visit
    const faults: string[] = []
    const look = async (name: string): Promise<void> => void faults.push(...(await faultsOf(page, name)))

    await page.goto(await browser.link())
    await page.getByText('There are no agents yet').waitFor()
    expect(new URL(page.url()).pathname).toBe('/fleet')
    expect(await page.evaluate('document.cookie')).toBe('')
    await look('fleet-empty')

    await page.getByRole('link', { name: 'New agent' }).click()
    await page.getByLabel('Name', { exact: true }).fill('writer')
    await page.getByLabel('Agent', { exact: true }).selectOption('model')
    await page.getByLabel('Provider').selectOption('openai-compatible')
    await page.getByLabel('Endpoint', { exact: true }).fill(`${models.models.url}/v1`)
    await page.getByLabel('Its endpoint needs no key').check()
    await page.getByLabel('Tools', { exact: true }).fill('bash\nask')
    await page.getByLabel('Works in').selectOption('copy')
    await page.getByLabel('Project', { exact: true }).selectOption(stage.project)
    await page.getByLabel('Hosts that need your permission').fill('a.test:8080')
    await page.getByLabel('Memory', { exact: true }).fill('4 GiBs')
    await page.getByRole('button', { name: 'Create agent' }).click()
    // Both views show the problem and its place.
    await page.getByText(/Line \d+: limits\.memory/).waitFor()
    expect(await page.getByLabel('Memory', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await look('manifest-problem')
    await page.getByLabel('Memory', { exact: true }).fill('')
    await page.getByRole('textbox', { name: 'YAML' }).fill(`${await page.getByRole('textbox', { name: 'YAML' }).inputValue()}model: m\n`)
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('m')
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.waitForURL(/\/agents\/writer\/jobs$/)
    await page.getByText('There are no jobs yet').waitFor()
    await look('agent-empty')

    scripts.set(
      'write',
      calling([
        ['bash', { command: 'curl -sS -m 60 http://a.test:8080/ || echo refused' }],
        ['bash', { command: 'echo "<b>notes</b>" > notes.md; mkdir -p .git/hooks 2>/dev/null; exit 3' }],
      ]),
    )
    await page.getByLabel('Prompt').fill('write the notes')
    await page.getByLabel('Prompt').press('Control+Enter')
    await page.waitForURL(/\/jobs\/j-/)
    const job = new URL(page.url()).pathname
    await page.getByText('Held:').first().waitFor()
    await look('job-waiting')
    await page.getByRole('link', { name: 'Answer' }).first().click()
    await page.getByRole('heading', { name: 'May writer reach this?' }).waitFor()
    await page.getByText('What the agent did before').click()
    await page.getByRole('article').getByText('curl -sS').first().waitFor()
    await look('inbox-held')
    await page.getByRole('button', { name: /^Deny/ }).click()
    await page.getByText('Nothing is waiting for you').waitFor()
    await page.getByText('Denied').waitFor()
    await look('inbox-answered')

    await page.goto(fleet.url + job)
    await page.getByRole('log').getByText('curl -sS').first().waitFor()
    await page.locator('.pill').getByText('done').waitFor()
    // A failed call is expanded.
    await page.getByRole('log').getByText('exit code 3').first().waitFor()
    await look('job-done')
    await page.getByRole('link', { name: 'Review and apply' }).click()
    await page.getByRole('region', { name: 'notes.md' }).getByText('<b>notes</b>').waitFor()
    await look('review')
    await page.getByLabel('Commit message').fill('Add notes')
    // What was applied is not offered again while the server still compares what is left.
    const compared = Promise.withResolvers<void>()
    await page.route('**/changes', (route) => compared.promise.then(() => route.continue()))
    await page.getByRole('button', { name: 'Apply without commit' }).click()
    await page.getByText('There is nothing to apply').waitFor()
    compared.resolve()
    expect(readFileSync(path.join(stage.project, 'notes.md'), 'utf8')).toBe('<b>notes</b>\n')
    await look('review-applied')

    for (const tab of ['jobs', 'conversation', 'files', 'memory', 'schedules', 'leases', 'policy', 'manifest']) {
      await page.goto(`${fleet.url}/agents/writer/${tab}`)
      await page.getByRole('main').locator(':scope > *').first().waitFor()
      await look(`agent-${tab}`)
    }
    await page.goto(`${fleet.url}/fleet`)
    await page.getByRole('link', { name: 'writer' }).waitFor()
    await look('fleet')
    await page.goto(`${fleet.url}/jobs`)
    await page.getByRole('link', { name: 'write the notes' }).waitFor()
    expect(await page.getByRole('row', { name: 'write the notes' }).textContent()).toMatch(/1 file(?!, to apply)/)
    await look('jobs')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('wri')
    await page.getByRole('option').first().waitFor()
    await look('palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByText('find or run').waitFor()
    await look('keys')
    expect(faults).toEqual([])
    // The browser itself reports requests that the server refused: the manifest with a problem, and changes that are already applied.
    expect(visit.complaints.filter((each) => !/status of 400 .*\/agents$|status of 404 .*\/changes$/.test(each))).toEqual([])
  })
})
