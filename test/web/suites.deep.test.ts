import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { paddock } from '../support/cli.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'
import { writeSuite } from '../support/suite-bench.ts'

let pages: FleetPages
beforeAll(async () => {
  pages = await openFleetPages()
})
afterAll(() => pages[Symbol.asyncDispose]())

test('a suite is listed with how far it is, and its report is shown in a frame that reaches nothing', async () => {
  const { stage } = pages.fleet
  const suite = path.join(stage.project, 'trial')
  const write = async (name: string, text: string): Promise<void> => {
    mkdirSync(path.dirname(path.join(suite, name)), { recursive: true })
    writeFileSync(path.join(suite, name), text)
  }
  const participants = { good: 'echo right > answer.txt', bad: 'echo wrong > answer.txt' }
  await writeSuite(
    { write },
    participants,
    ['one', 'two'],
    {},
    { judges: [], checks: [{ name: 'right', command: ['grep', '-q', 'right', '/submission/answer.txt'] }], rubric: undefined },
  )
  stage.own()
  await using visit = await pages.browser.signedIn('operator')
  const { page } = visit
  await visit.to('/contests')
  const row = page.getByRole('row').filter({ hasText: 'trial' })
  await row.getByText('0 of 2').waitFor()
  await row.getByText('pending').waitFor()
  expect(await faultsOf(page, 'contests-suites')).toEqual([])
  await row.getByRole('link', { name: 'trial' }).click()
  await page.getByText('This suite has not been run yet').waitFor()
  expect(await faultsOf(page, 'suite-new')).toEqual([])

  const ran = await paddock(stage, ['suite', 'run', '--quiet', suite])
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  await page.reload()
  await page.getByRole('row', { name: 'done one/1' }).waitFor()
  await page.getByText('2 of 2 contests complete.').waitFor()
  const frame = page.frameLocator('iframe[title="Report of trial"]')
  await frame.getByRole('heading', { name: 'Leaderboard' }).waitFor()
  await frame.getByRole('rowheader', { name: 'good command' }).waitFor()
  // The targets of its links do not exist here.
  expect(await frame.locator('a[href*="runs"]').count()).toBe(0)
  expect(await faultsOf(page, 'suite')).toEqual([])
  expect(visit.complaints.filter((each) => !/sandbox/.test(each))).toEqual([])

  await using viewer = await pages.browser.signedIn('viewer')
  await viewer.to('/contests')
  await viewer.page.getByText('No contest has been started yet').waitFor()
  expect(await viewer.page.getByText('trial').count()).toBe(0)
  expect(viewer.complaints).toEqual([])
})

test('a suite outside of the allowed directories is not found, and whether it is there is not told', async () => {
  const operator = await pages.fleet.token('operator')
  const codeOf = async (where: string, directory: string): Promise<unknown> => {
    const answer = await fetch(`${pages.fleet.url}/api/v1/${where}?directory=${encodeURIComponent(directory)}`, {
      headers: { authorization: `Bearer ${operator}` },
    })
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  for (const where of ['suites/status', 'suites/report.html', 'contests/plan'])
    for (const directory of ['/etc', '/nowhere', `${pages.fleet.stage.project}/../home`])
      expect(await codeOf(where, directory)).toEqual([403, 'NOT_ALLOWED'])
})
