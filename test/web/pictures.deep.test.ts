import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../support/browser.ts'
import { type ModelFleet, startModelFleet } from '../support/fleet-models.ts'
import type { Conversation } from '../support/model-servers/script.ts'

/** The directory for pictures of the documents: docs/pictures, set by `npm run pictures`; unset: none are taken. */
const pictures = process.env['PADDOCK_DOCUMENT_PICTURES']

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

test('the pictures of the documents: a fleet at work, a job, its changes', async () => {
  const { fleet, scripts, create, createAny } = models
  const { project } = fleet.stage
  mkdirSync(path.join(project, 'src'))
  writeFileSync(path.join(project, 'src/slug.js'), slug)
  writeFileSync(path.join(project, 'src/slug.test.mjs'), slugTest)
  const give = async (agent: string, prompt: string): Promise<string> => {
    const { data, error } = await fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt } })
    if (data === undefined) throw new Error(JSON.stringify(error))
    return data.id
  }
  const job = async (id: string) => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data
  const until = async (id: string, state: string): Promise<void> => {
    for (let tries = 0; (await job(id))?.state !== state; tries++) {
      if (tries > 600) throw new Error(`it is ${(await job(id))?.state}`)
      await setTimeout(50)
    }
  }

  const calls = [
    { call: 'bash', input: { command: 'node --test src/slug.test.mjs 2>&1 | grep -E "^# (pass|fail)"; grep -n "" src/slug.js' } },
    { call: 'bash', input: { command: fix } },
    { call: 'bash', input: { command: 'node --test src/slug.test.mjs 2>&1 | grep -E "^# (pass|fail)"' } },
  ]
  const said =
    'Titles with accents lost their letters, as everything but a–z was dropped. They are decomposed first now, and the marks removed:\n\n- `src/slug.js`: one line\n- both tests pass'
  scripts.set('Slugs', ({ toolResults }: Conversation) => calls[toolResults.length] ?? { say: said })
  await create('fixer', { tools: ['bash'], workspace: { copy: project }, labels: ['code'], prices: undefined })
  const fixed = await give('fixer', 'Slugs of titles with accents lose letters. Find out why and fix it.')
  await until(fixed, 'done')

  const short = ['sh', '-c', 'read -r line; echo "done: $line"']
  await createAny({ name: 'changelog', agent: 'command', command: short, egress: { policy: 'off' }, labels: ['docs'] })
  for (const each of ['Write the entry for 1.3', 'Write the entry for 1.4']) await until(await give('changelog', each), 'done')
  const failing = ['sh', '-c', 'read -r line; echo "3 tests of 412 fail"; exit 1']
  await createAny({ name: 'nightly-tests', agent: 'command', command: failing, egress: { policy: 'off' }, labels: ['code'] })
  await until(await give('nightly-tests', 'Run the slow tests on main'), 'failed')
  const long = ['sh', '-c', 'read -r line; echo "reading 1,204 lines of access.log"; exec sleep 600']
  await createAny({ name: 'log-miner', agent: 'command', command: long, egress: { policy: 'off' } })
  const running = await give('log-miner', 'Which requests were slow last night?')
  await until(running, 'running')
  const asking = ['sh', '-c', 'read -r line; curl -sS -m 200 http://packages.example:8080/ >/dev/null 2>&1; echo over']
  await createAny({ name: 'upgrades', agent: 'command', command: asking, egress: { ask: ['packages.example:8080'] }, labels: ['code'] })
  const waiting = await give('upgrades', 'Which of our dependencies have a new major version?')
  await until(waiting, 'waiting')

  for (const theme of ['light', 'dark'] as const) {
    await using visit = await browser.signedIn('owner', { colorScheme: theme, viewport: { width: 1280, height: 800 } })
    const { page } = visit
    const picture = async (name: string): Promise<void> => {
      if (pictures === undefined) return
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: path.join(pictures, `${name}-${theme}.png`) })
    }
    await page.getByText('One connection is waiting for you.').waitFor()
    await page.getByRole('link', { name: 'nightly-tests' }).waitFor()
    await page.getByText('reading 1,204 lines').waitFor()
    await page.getByText('Asks: connect to packages.example:8080', { exact: true }).waitFor()
    await picture('fleet')
    await visit.to(`/jobs/${fixed}`)
    await page.getByRole('listitem').filter({ hasText: 'both tests pass' }).waitFor()
    await picture('job')
    await visit.to(`/jobs/${fixed}/review`)
    await page.getByRole('region', { name: 'src/slug.js' }).getByText('normalize').waitFor()
    await picture('review')
    expect(visit.complaints).toEqual([])
  }
  for (const each of [running, waiting]) await fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: each } } })
})

const slug = `export function slug(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
`
const slugTest = `import assert from 'node:assert'
import test from 'node:test'
import { slug } from './slug.js'

test('words', () => assert.equal(slug('Two Words'), 'two-words'))
test('accents', () => assert.equal(slug('Crème brûlée'), 'creme-brulee'))
`
const fix = `sed 's/  return title/  return title\\n    .normalize("NFD")\\n    .replaceAll(\\/\\\\p{M}\\/gu, "")/' src/slug.js > /tmp/slug.js && cat /tmp/slug.js > src/slug.js && git diff --stat`
