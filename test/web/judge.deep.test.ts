import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faultsOf } from '../support/browser.ts'
import { makeContestStage } from '../support/contest-stage.ts'
import { hostileWork } from '../support/hostile-work.ts'
import { judgedContest, judgeMe } from '../support/own-judging.ts'

interface Opened extends AsyncDisposable {
  readonly page: Page
  readonly complaints: readonly string[]
}

async function opened(link: string): Promise<Opened> {
  const browser: Browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const complaints: string[] = []
  page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && complaints.push(message.text())))
  page.on('pageerror', (error) => void complaints.push(String(error)))
  await page.goto(link)
  return { page, complaints, [Symbol.asyncDispose]: () => browser.close() }
}

/** Returns the numbers that are shown on the left and on the right. */
async function numbers(page: Page): Promise<readonly [number, number]> {
  const work = page.locator('#work')
  await work.getByRole('button', { name: /^answer, / }).click()
  await work.getByRole('heading', { name: 'answer' }).waitFor()
  const cells = await work.getByRole('region', { name: 'The file' }).locator('tr').first().locator('td:not(.l):not(.s)').allTextContents()
  return [Number(cells[0]), Number(cells[1])]
}

const status = (page: Page, text: string): Promise<void> => page.getByRole('status').getByText(text).first().waitFor()

test('you click and type through the pairs in a browser, in which no name is, and go on after kill -9', async () => {
  using on = await judgedContest('user')
  const once = await judgeMe(on)
  {
    await using visit = await opened(once.link)
    const { page } = visit
    await status(page, 'Pair 1 of 6.')
    // The code of the link is removed from the address.
    expect(page.url()).toBe(`${new URL(once.link).origin}/`)
    await page.getByText('The brief').click()
    await page.getByText('Write answer.').waitFor()
    await page.getByText('A is on the left, B on the right.').waitFor()
    expect(await faultsOf(page, 'judge')).toEqual([])
    const [a, b] = await numbers(page)
    await page.getByLabel('Why (optional)').fill(`1 and 2 and 0: ${a} and ${b}`)
    // Digits typed into the reason do not answer.
    await page.getByLabel('Why (optional)').press('1')
    await status(page, 'Pair 1 of 6.')
    await page.getByRole('button', { name: a > b ? 'A is better' : 'B is better' }).click()
    await status(page, 'Pair 2 of 6.')
    expect(await page.getByLabel('Why (optional)').inputValue()).toBe('')
    // The last answer is shown again and can be changed.
    await page.getByRole('button', { name: 'Change the last answer' }).click()
    await status(page, 'This is your last answer.')
    expect(await page.getByLabel('Why (optional)').inputValue()).toBe(`1 and 2 and 0: ${a} and ${b}1`)
    expect(await numbers(page)).toEqual([a, b])
    await page.locator('h1').click()
    await page.keyboard.press('0')
    await status(page, 'Pair 2 of 6.')
    const [c, d] = await numbers(page)
    await page.keyboard.press(c > d ? '1' : '2')
    await status(page, 'Pair 3 of 6.')
    // The session of the tab continues without the link.
    await page.reload()
    await status(page, 'Pair 3 of 6.')
    expect(await page.content()).not.toMatch(/quokka|numbat|bilby/)
    expect(visit.complaints).toEqual([])
    await once.kill()
    await page.keyboard.press('1')
    await status(page, 'The command does not answer, because it has ended.')
  }
  const again = await judgeMe(on)
  expect(again).toMatchObject({ answered: 2, of: 6 })
  await using visit = await opened(again.link)
  const { page } = visit
  for (let place = 3; place <= 6; place += 1) {
    await status(page, `Pair ${place} of 6.`)
    const [a, b] = await numbers(page)
    await page.getByRole('button', { name: a > b ? 'A is better' : 'B is better' }).click()
  }
  await status(page, 'You gave all 6 answers.')
  expect(await faultsOf(page, 'judge-done', { isQuick: true })).toEqual([])
  expect(visit.complaints).toEqual([])
  // A tie and a win count as a win.
  expect(await again.end()).toMatchObject({
    code: 0,
    last: {
      answered: 6,
      of: 6,
      consistent: 2,
      agreement: [
        { judge: 'likes', agreed: 3 },
        { judge: 'dislikes', agreed: 0 },
      ],
    },
  })
  expect(await on.run('report')).toMatchObject({ code: 0, stdout: expect.stringContaining('likes agrees with you: in 3 of 3 comparisons') })
  expect(on.read('report/report.html')).toContain('in 3 of 3 comparisons (100%), too few to tell')
})

test('a link that was used is refused, and the page says how to get another', async () => {
  using on = await judgedContest('user')
  const { link } = await judgeMe(on)
  await using first = await opened(link)
  await status(first.page, 'Pair 1 of 6.')
  await using second = await opened(link)
  await status(second.page, 'This page is not signed in, because its link was used before')
  expect(await second.page.getByRole('button').count()).toBe(0)
})

test('a hostile submission runs nothing on the page, and reaches no server', async () => {
  let connections = 0
  const server = createServer((_request, response) => response.end())
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const evil = hostileWork((server.address() as AddressInfo).port)
    using on = makeContestStage('user', { good: 'echo hello > index.html; echo > answer', evil: `${evil}; echo > answer` })
    expect(await on.run('run', '--quiet')).toMatchObject({ code: 0 })
    const { link } = await judgeMe(on)
    await using visit = await opened(link)
    const { page } = visit
    const home = `${new URL(link).origin}/`
    const work = page.locator('#work')
    await status(page, 'Pair 1 of 2.')
    await work.getByRole('button', { name: /^index\.html, / }).click()
    const frames = work.locator('iframe')
    await expect.poll(() => frames.count()).toBe(2)
    const side = (await frames.first().getAttribute('srcdoc'))?.includes('I look harmless.') === true ? frames.first() : frames.last()
    await side.contentFrame().getByText('I look harmless.').waitFor()
    expect(await side.contentFrame().locator('body').evaluate('getComputedStyle(document.body).color')).toBe('rgb(1, 2, 3)')
    await page.waitForTimeout(500)
    for (const name of [/^README\.md, /, /^drawing\.svg, /, /^code\.js, /, /^script><img src=x/]) {
      await work.getByRole('button', { name }).first().click()
      await page.waitForTimeout(300)
    }
    expect(connections).toBe(0)
    expect(page.url()).toBe(home)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    // No answer was given on the user's behalf.
    await status(page, 'Pair 1 of 2.')
    expect(await faultsOf(page, 'judge-hostile', { isQuick: true })).toEqual([])
  } finally {
    server.close()
  }
})
