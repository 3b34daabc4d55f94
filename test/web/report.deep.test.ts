import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { reportContest } from '../../src/contest/report/report-contest.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { faultsOf } from '../support/browser.ts'
import { type Bench, copyExample, evenJudge, openBench, writeContest } from '../support/contest-bench.ts'
import { hostileWork } from '../support/hostile-work.ts'

interface Opened extends AsyncDisposable {
  readonly page: Page
  readonly complaints: readonly string[]
}

/** Opens the report of a contest from its file. */
async function opened(bench: Bench): Promise<Opened> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const complaints: string[] = []
  page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && complaints.push(message.text())))
  page.on('pageerror', (error) => void complaints.push(String(error)))
  await page.goto(`file://${bench.contest}/report/report.html`)
  return { page, complaints, [Symbol.asyncDispose]: () => browser.close() }
}

/** Returns a judge that recognizes the three submissions of the demo by their files, and measures nothing. */
function judge(name: string, careful: number, patient: number, hasty: number): string {
  const line = `cd /contest/submissions; s=; for l in *; do if [ -f $l/README.md ]; then n=${careful}; elif head -1 $l/summarise | grep -q node; then n=${hasty}; else n=${patient}; fi; s="$s\${s:+,}\\"$l\\":{\\"correctness\\":$n,\\"clarity\\":$n,\\"speed\\":$n}"; done; printf '{"scores":{%s}}' "$s" > /contest/outbox/scores.json`
  return `  - ${JSON.stringify({ name, agent: 'command', command: ['sh', '-c', line] })}\n`
}

/** Runs the demo with judges whose scores are known. */
async function demo(): Promise<Bench> {
  const bench = await openBench()
  await copyExample('hello', bench.contest)
  const file = path.join(bench.contest, 'contest.yaml')
  const judges = judge('one', 10, 6, 1) + judge('two', 9, 5, 1) + judge('three', 10, 5, 2)
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(/^judges:\n[\s\S]*?^rubric:/m, () => `judges:\n${judges}\nrubric:`),
  )
  await runContest(bench.contest, bench.deps)
  return bench
}

describe('the report of the demo, from its file', () => {
  test('has what the sketch of a contest has, in light and dark, on a desktop and a phone, without a fault', async () => {
    await using bench = await demo()
    await using on = await opened(bench)
    const { page } = on
    await page.getByText('careful leads on this one brief, according to 3 judges').waitFor()
    const board = page.getByRole('region', { name: 'Leaderboard' })
    expect(await board.getByRole('row').count()).toBe(4)
    expect(await board.getByRole('img', { name: /^96\.7, 95% interval / }).count()).toBe(1)
    expect(await page.getByText('NOTHING FOUND', { exact: true }).count()).toBe(3)
    await page.getByRole('button', { name: 'summarise, differs' }).waitFor()
    expect(await faultsOf(page, 'report')).toEqual([])
    expect(on.complaints).toEqual([])
  })

  test('sorts by a column, the other way round, and back, by keyboard too', async () => {
    await using bench = await demo()
    await using on = await opened(bench)
    const board = on.page.getByRole('region', { name: 'Leaderboard' })
    const names = async (): Promise<readonly string[]> =>
      (await board.getByRole('rowheader').allTextContents()).map((each) => each.replace('command', ''))
    const score = board.getByRole('button', { name: 'Score' })
    await score.focus()
    await on.page.keyboard.press('Enter')
    expect(await names()).toEqual(['careful', 'patient', 'hasty'])
    expect(await board.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort')).toBe('descending')
    await score.click()
    expect(await names()).toEqual(['hasty', 'patient', 'careful'])
    await score.click()
    expect(await names()).toEqual(['careful', 'patient', 'hasty'])
    expect(await board.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort')).toBeNull()
    await board.getByRole('button', { name: 'Participant' }).click()
    expect(await names()).toEqual(['careful', 'hasty', 'patient'])
  })

  test('shows two submissions side by side: which files differ, their lines, and Markdown as it reads', async () => {
    await using bench = await demo()
    await using on = await opened(bench)
    const work = on.page.locator('#work')
    await work.getByText('3 files, 0 of them the same in both').waitFor()
    await work.getByText('Reads RFC 4180 CSV').waitFor()
    await work.getByLabel('Right', { exact: true }).selectOption('hasty')
    const first = work.getByRole('button', { name: 'README.md, left only' })
    await first.focus()
    await on.page.keyboard.press('ArrowDown')
    await work.getByRole('heading', { name: 'summarise' }).waitFor()
    const file = work.getByRole('region', { name: 'The file' })
    await file.locator('td.d', { hasText: 'quotes may contain commas' }).first().waitFor()
    await file.locator('td.a').first().waitFor()
    expect(await file.locator('.hljs-keyword').count()).toBeGreaterThan(3)
    await on.page.keyboard.press('ArrowDown')
    await work.getByRole('heading', { name: 'summary.json' }).waitFor()
    await work.getByLabel('Find a file').fill('READ')
    await work.getByText('; 1 shown').waitFor()
    await work.getByRole('button', { name: 'As text' }).click()
    await file.getByText('# summarise').waitFor()
    expect(on.complaints).toEqual([])
  })
})

test('a hostile submission is shown, and reaches no server by anything in it, clicked or not', async () => {
  const asked: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end()
  })
  // Chromium connects to the target of a frame before the policy refuses it.
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    await using bench = await openBench()
    const program = hostileWork((server.address() as AddressInfo).port)
    await writeContest(bench, { good: 'echo hello > index.html', evil: program }, { j: evenJudge(4) })
    await runContest(bench.contest, bench.deps)
    await using on = await opened(bench)
    const { page } = on
    const work = page.locator('#work')
    await work.getByLabel('Left', { exact: true }).selectOption('evil')
    const open = (name: string | RegExp): Promise<void> => work.getByRole('button', { name }).first().click()
    const home = page.url()

    await open(/^index\.html/)
    const frame = work.frameLocator('iframe').first()
    await frame.getByText('I look harmless.').waitFor()
    expect(await frame.locator('body').evaluate('getComputedStyle(document.body).color')).toBe('rgb(1, 2, 3)')
    await page.waitForTimeout(500)
    // Only a click on a link may connect, and even then nothing is sent.
    expect(connections).toBe(0)
    for (const each of ['#go', '#up', '#send']) {
      await frame.locator(each).click()
      await page.waitForTimeout(500)
      await open(/^index\.html/)
      await frame.getByText('I look harmless.').waitFor()
    }
    // A click may leave the frame empty, but the page stays.
    await work.getByRole('button', { name: 'As text' }).click()
    await work.getByRole('region', { name: 'The file' }).getByText('I look harmless.').first().waitFor()
    await work.getByRole('button', { name: 'As text' }).click()

    await open(/^README\.md/)
    await work.getByText('[a: http://127').waitFor()
    expect(await work.locator('.prose a, .prose img, .prose script').count()).toBe(0)
    await open(/^drawing\.svg/)
    await work.getByRole('img', { name: 'The picture in this file' }).first().waitFor()
    await open(/^code\.js/)
    await work.getByText('\\u{202e} reversed \\u{2066}').waitFor()
    await open(/^script><img src=x/)
    await page.waitForTimeout(500)
    expect(page.url()).toBe(home)
    expect(asked).toEqual([])
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  } finally {
    server.close()
  }
})

test('odd names are shown as they are, and each has its own content', async () => {
  await using bench = await openBench()
  const files = {
    'Case.txt': 'upper case',
    'case.txt': 'lower case',
    'two\nlines.txt': 'a line break',
    'gpj.\u202etxt': 'reversed',
    ['n'.repeat(255)]: 'long',
    __proto__x: 'a plain name',
    '__proto__/constructor': 'names of JavaScript',
    ['d/'.repeat(60)]: '',
    [`${'d/'.repeat(60)}deep`]: 'deep',
    'CON.txt ': 'a name that Windows has not',
    "it's <b>.txt": 'markup',
  }
  const encoded = Buffer.from(JSON.stringify(Object.entries(files).filter(([name]) => !name.endsWith('/')))).toString('base64')
  const program = `const fs=require('node:fs');for(const [n,c] of JSON.parse(Buffer.from('${encoded}','base64')))fs.mkdirSync(require('node:path').dirname(n),{recursive:true}),fs.writeFileSync(n,c)`
  await writeContest(bench, { one: `node -e "${program}"`, two: 'echo other > case.txt' }, { j: evenJudge(4) })
  await runContest(bench.contest, bench.deps)
  await using on = await opened(bench)
  const work = on.page.locator('#work')
  await work.getByLabel('Left', { exact: true }).selectOption('one')
  await work.getByLabel('Right', { exact: true }).selectOption('two')
  const buttons = work.locator('.tree button')
  expect(await buttons.count()).toBe(10)
  const seen: string[] = []
  for (let at = 0; at < 10; at += 1) {
    await buttons.nth(at).click()
    const text = work.getByRole('region', { name: 'The file' }).locator('td:not(.l):not(.s)').first()
    await expect.poll(async () => seen.includes((await text.textContent()) ?? '')).toBe(false)
    seen.push((await text.textContent()) ?? '')
  }
  expect(seen.toSorted()).toEqual(
    Object.values(files)
      .filter((each) => each !== '')
      .toSorted(),
  )
  expect(await buttons.filter({ hasText: '\\u{202e}' }).count()).toBe(1)
  expect(await faultsOf(on.page, 'report-names', { isQuick: true })).toEqual([])
  expect(on.complaints).toEqual([])
})

test('a report of a contest that is half done, and one without any submission, are whole pages', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'exit 3', two: 'true' }, { j: 'exit 1' })
  await runContest(bench.contest, bench.deps).catch(() => {})
  await reportContest(bench.contest, () => new Date())
  await using on = await opened(bench)
  await on.page.getByText('No submission was delivered.').waitFor()
  expect(await on.page.locator('#work select').count()).toBe(0)
  expect(await faultsOf(on.page, 'report-empty', { isQuick: true })).toEqual([])
  expect(on.complaints).toEqual([])
})
