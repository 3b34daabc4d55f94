import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  await page.getByText('2 of 2 contests: 4 participants, 0 judges').waitFor()
  await page.getByText('no difference, because that takes three briefs').waitFor()
  expect(await faultsOf(page, 'suite-new')).toEqual([])

  const ran = await paddock(stage, ['suite', 'run', '--quiet', suite])
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  await page.reload()
  await page.getByRole('row', { name: 'done one' }).waitFor()
  await page.getByText('2 of 2 contests complete').waitFor()
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

test('a suite is started, watched, cancelled, continued, and its contests are read, from its page', async () => {
  const { stage } = pages.fleet
  const suite = path.join(stage.project, 'pages')
  const write = async (name: string, text: string): Promise<void> => {
    mkdirSync(path.dirname(path.join(suite, name)), { recursive: true })
    writeFileSync(path.join(suite, name), text)
  }
  // A file in raw/ keeps participants at work until they are cancelled.
  const line = (answer: string): string => `[ -e /contest/raw/slow ] && sleep 600; echo ${answer} > answer.txt`
  await writeSuite({ write }, { good: line('right'), bad: line('wrong') }, ['one', 'two'], { name: 'pages', repeats: 2, parallel: 6 })
  await write('briefs/two/raw/slow', '')
  stage.own()
  await using visit = await pages.browser.signedIn('operator')
  const { page } = visit
  await visit.to(`/suites?directory=${encodeURIComponent(suite)}`)
  await page.getByText('4 of 4 contests: 8 participants, 4 judges').waitFor()
  await page.getByText('no cost is known yet').waitFor()
  await page.getByRole('button', { name: 'Start suite' }).click()
  await page.getByText('started by').waitFor()
  await page.getByRole('link', { name: 'one 1 done' }).waitFor()
  const slow = page.getByRole('link', { name: 'two 1 running' })
  await slow.waitFor()
  expect(await faultsOf(page, 'suite-running')).toEqual([])
  await slow.click()
  await page.getByRole('heading', { name: 'two/1' }).waitFor()
  await page.getByRole('row', { name: 'running good' }).waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await faultsOf(page, 'suite-contest-running')).toEqual([])
  await page.goBack()

  await page.getByRole('button', { name: 'Cancel …' }).click()
  expect(await faultsOf(page, 'suite-cancel', { isQuick: true })).toEqual([])
  await page.getByRole('button', { name: 'Cancel command' }).click()
  await page.getByText('The suite was stopped. Finished work is kept.').waitFor()
  await page.getByRole('row', { name: 'unfinished two' }).waitFor()
  await page.getByRole('button', { name: 'Rejudge …' }).waitFor()
  await page.getByText('2 of 4 contests: 4 participants, 2 judges').waitFor()
  expect(await faultsOf(page, 'suite-cancelled')).toEqual([])

  for (const each of globSync(['runs/two/*/raw/slow', 'briefs/two/raw/slow'], { cwd: suite })) rmSync(path.join(suite, each))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('4 of 4 contests complete').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' })
  const frame = page.frameLocator('iframe[title="Report of pages"]')
  await frame.getByRole('heading', { name: 'Leaderboard' }).waitFor()
  // The report that was shown before is replaced.
  await frame.getByText('are not complete').waitFor({ state: 'detached' })
  expect(await faultsOf(page, 'suite-done')).toEqual([])
  await page.getByRole('link', { name: 'two 2 done' }).click()
  await page.frameLocator('iframe[title="Report of two/2"]').getByRole('heading', { name: 'Leaderboard' }).waitFor()
  expect(await faultsOf(page, 'suite-contest')).toEqual([])
  await page.goBack()

  // Each command is asked for, and its result is shown.
  const judging = (): number => JSON.parse(readFileSync(path.join(suite, 'runs/one/1/status.json'), 'utf8')).judging
  const round = (): number => JSON.parse(readFileSync(path.join(suite, 'runs/one/1/status.json'), 'utf8')).round
  const headers = { authorization: `Bearer ${await pages.fleet.token('operator')}` }
  const work = async (): Promise<unknown> => {
    const answer = await fetch(`${pages.fleet.url}/api/v1/suites/work?directory=${encodeURIComponent(suite)}`, { headers })
    const { command, state, notDone } = ((await answer.json()) as { work: Readonly<Record<string, unknown>> }).work
    return { command, state, notDone }
  }
  const asked = async (open: string, act: string): Promise<void> => {
    await page.getByRole('button', { name: `${open} …` }).click()
    await page.getByRole('dialog').getByRole('button', { name: act }).and(page.locator(':enabled')).waitFor()
    expect(await faultsOf(page, `suite-${open.toLowerCase()}`, { isQuick: true })).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: act }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const done = async (command: string): Promise<void> => {
    await expect.poll(work, { timeout: 60_000 }).toEqual({ command, state: 'done', notDone: [] })
    await page.getByRole('button', { name: 'Clean …' }).waitFor()
    // Nothing is left to run.
    await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' })
  }
  expect([judging(), round()]).toEqual([1, 1])
  await asked('Rejudge', 'Rejudge suite')
  await done('rejudge')
  expect(judging()).toBe(2)
  await asked('Refine', 'Refine suite')
  await done('refine')
  expect(round()).toBe(2)
  await page.getByText('This suite was not compared with an earlier run yet.').waitFor()
  await asked('Compare', 'Compare')
  await done('compare')
  const compared = page.getByRole('listitem').filter({ hasText: 'pages-round-1' })
  await compared.getByText('Nothing can be said about').first().waitFor()
  await compared.getByText('failed', { exact: true }).waitFor()
  expect(await faultsOf(page, 'suite-compared')).toEqual([])
  await compared.getByRole('link', { name: 'pages-round-1' }).click()
  const comparison = page.frameLocator('iframe[title="Report of pages-round-1"]')
  await comparison.getByRole('heading', { name: 'By brief, the worst first' }).waitFor()
  expect(await comparison.locator('a[href]').count()).toBe(1)
  expect(await faultsOf(page, 'suite-comparison')).toEqual([])
  await page.goBack()
  await asked('Archive', 'Write archives')
  await done('archive')
  expect(globSync('report/archives/*.tar', { cwd: suite })).toHaveLength(4)
  await asked('Clean', 'Clean suite')
  expect(globSync('runs/one/*/rounds/*/*/attempts/*/out', { cwd: suite })).toEqual([])
  expect(visit.complaints.filter((each) => !/sandbox/.test(each))).toEqual([])
})

test('a suite outside of the allowed directories is not found, and whether it is there is not told', async () => {
  const operator = await pages.fleet.token('operator')
  const codeOf = async (where: string, directory: string): Promise<unknown> => {
    const answer = await fetch(`${pages.fleet.url}/api/v1/${where}?directory=${encodeURIComponent(directory)}`, {
      headers: { authorization: `Bearer ${operator}` },
    })
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  for (const where of ['suites/status', 'suites/report.html', 'suites/work', 'suites/plan', 'contests/plan'])
    for (const directory of ['/etc', '/nowhere', `${pages.fleet.stage.project}/../home`])
      expect(await codeOf(where, directory)).toEqual([403, 'NOT_ALLOWED'])
})
