import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { paddock } from '../support/cli.ts'
import { type FleetPages, openFleetPages } from '../support/fleet-pages.ts'

let pages: FleetPages
beforeAll(async () => {
  pages = await openFleetPages()
})
afterAll(() => pages[Symbol.asyncDispose]())

test('the work of a participant is reviewed on its page, applied to the project, and taken back', async () => {
  const { stage, api } = pages.fleet
  const shop = path.join(stage.root, 'shop')
  mkdirSync(shop)
  writeFileSync(path.join(shop, 'greeting.txt'), 'hello\n')
  stage.own()
  const contest = path.join(stage.project, 'greeting')
  expect((await paddock(stage, ['contest', 'new', contest, '--from-project', shop])).code).toBe(0)
  const line = 'cat > /dev/null; echo "<b>welcome</b>" > greeting.txt; echo x > .envrc'
  writeFileSync(
    path.join(contest, 'contest.yaml'),
    JSON.stringify({
      schemaVersion: 1,
      name: 'greeting',
      start: 'start',
      participants: [{ name: 'one', agent: 'command', command: ['sh', '-c', line] }],
      checks: [{ name: 'there', command: ['test', '-f', '/submission/greeting.txt'] }],
    }),
  )
  writeFileSync(path.join(contest, 'BRIEF.md'), 'Change the greeting.\n')
  stage.own()
  const { data: begun } = await api.POST('/api/v1/contests', { body: { directory: contest, retry: false } })
  await using visit = await pages.browser.signedIn('operator')
  const { page } = visit
  await visit.to(`/contests/${begun?.id}`)
  await page.getByRole('link', { name: 'Review and apply' }).click()
  await page.getByText('Against').waitFor()
  await page.getByText('<b>welcome</b>').waitFor()
  // Files that run later are not preselected.
  expect(await page.getByRole('checkbox', { name: 'Apply .envrc' }).isChecked()).toBe(false)
  expect(await faultsOf(page, 'contest-work')).toEqual([])
  await page.getByRole('button', { name: 'Apply without commit' }).click()
  await page.getByText('1 file applied').waitFor()
  expect(readFileSync(path.join(shop, 'greeting.txt'), 'utf8')).toBe('<b>welcome</b>\n')
  await page.getByRole('button', { name: 'Undo apply' }).click()
  await page.getByText('The work of one was undone').waitFor()
  expect(readFileSync(path.join(shop, 'greeting.txt'), 'utf8')).toBe('hello\n')
  expect(visit.complaints).toEqual([])

  await using viewer = await pages.browser.signedIn('viewer')
  await viewer.to(`/contests/${begun?.id}`)
  await viewer.page.getByRole('rowheader', { name: 'one' }).first().waitFor()
  expect(await viewer.page.getByRole('link', { name: 'Review and apply' }).count()).toBe(0)
})
