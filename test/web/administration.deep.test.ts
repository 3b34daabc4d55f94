import { once } from 'node:events'
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, openBrowser, type TestBrowser, type Visit } from '../support/browser.ts'
import { paddock } from '../support/cli.ts'
import { startModelFleet } from '../support/fleet-models.ts'
import type { FleetServer } from '../support/fleet-server.ts'
import { putLogin } from '../support/host-login.ts'

/** Adds budgets, prices, and two CLIs on the PATH. They count as installed, and no test here runs them. */
function withMore(env: Record<string, string>): Record<string, string> {
  const config = path.join(env['PADDOCK_HOME'] ?? '', 'config/config.yaml')
  appendFileSync(config, '  budgets: { day: { usd: 2 }, month: { tokens: 10000000 } }\n  prices: { "*": { input: 300, output: 1500 } }\n')
  const bin = path.join(env['HOME'] ?? '', 'bin')
  mkdirSync(bin)
  for (const each of ['claude', 'codex']) writeFileSync(path.join(bin, each), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 })
  chmodSync(env['HOME'] ?? '', 0o711)
  return { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` }
}

const passphrase = 'correct horse battery staple'

describe('the pages of administration, in Chromium', () => {
  let models: Awaited<ReturnType<typeof startModelFleet>>
  let fleet: FleetServer
  let browser: TestBrowser
  beforeAll(async () => {
    models = await startModelFleet('user', withMore)
    fleet = models.fleet
    browser = await openBrowser(fleet)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await models[Symbol.asyncDispose]()
  })
  /** Opens a page and checks it in each theme and size. */
  const looked = async ({ to, page }: Visit, path: string, text: string | RegExp, name: string): Promise<void> => {
    await to(path)
    await page.getByText(text).first().waitFor()
    expect(await faultsOf(page, name)).toEqual([])
  }
  const give = async (agent: string, prompt: string): Promise<string> => {
    const { data, error } = await fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt } })
    if (data === undefined) throw new Error(JSON.stringify(error))
    return data.id
  }
  const ended = async (job: string): Promise<void> => {
    while ((await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job } } })).data?.endedAt === null) await setTimeout(50)
  }

  test('each page says what it is for while there is nothing to show', async () => {
    await using visit = await browser.signedIn()
    await looked(visit, '/egress', 'No cell has opened a connection yet', 'egress-empty')
    await looked(visit, '/credentials', 'This machine has no logins for agents', 'credentials-empty')
    await looked(visit, '/credentials#vault', 'There is no vault yet', 'vault-none')
    await looked(visit, '/audit?kind=vault', 'No lines match', 'audit-empty')
    await looked(visit, '/guarantees', 'Nothing has been tested since the server started', 'guarantees-empty')
    await looked(visit, '/usage', 'No jobs ended in this period.', 'usage-empty')
    await looked(visit, '/contests', 'No contest has been started yet', 'contests-empty')
    await looked(visit, '/more', 'signed in as owner (session ', 'more')
    await looked(visit, '/settings', 'There are no webhooks yet.', 'settings-empty')
    // Browsers print the server's 404 for the missing vault.
    expect(visit.complaints.filter((each) => !/status of 404 .*\/vault$/.test(each))).toEqual([])
  })

  test('decisions of gateways are listed live and stay while they are read, and held connections are answered', async () => {
    const { port } = new URL(models.models.url)
    const curl = (url: string): string => `curl -sS -m 250 ${url} >/dev/null 2>&1`
    const script = ['read -r a', curl(`http://ok.test:${port}/`), curl('http://metrics.test/'), curl('http://169.254.169.254/')]
    await models.createAny({
      name: 'log-miner',
      agent: 'command',
      command: ['sh', '-c', [...script, `test "$a" = ask && ${curl('http://fonts.test:8080/')}`, 'echo over'].join('; ')],
      egress: { allow: [`ok.test:${port}=127.0.0.1:${port}`], ask: ['fonts.test:8080'] },
    })
    await using owner = await browser.signedIn()
    const { page } = owner
    await owner.to('/egress')
    await page.getByText('No connection is held.').waitFor()
    await ended(await give('log-miner', 'look'))
    // The rows appear without a reload.
    await page.getByRole('row', { name: new RegExp(`allowed ok.test:${port} log-miner its manifest`) }).waitFor()
    await page.getByRole('row', { name: /denied metrics\.test log-miner no rule allows it/ }).waitFor()
    const rows = page.getByRole('table').first().locator('tbody tr')
    const before = await rows.count()
    await rows.first().hover()
    await ended(await give('log-miner', 'look'))
    const more = page.getByRole('button', { name: /new rows?\. Show/ })
    await more.waitFor()
    expect(await rows.count()).toBe(before)
    expect(await faultsOf(page, 'egress-paused')).toEqual([])
    await page.getByRole('heading', { name: 'Egress' }).hover()
    await more.waitFor({ state: 'detached' })
    expect(await rows.count()).toBeGreaterThan(before)

    const job = await give('log-miner', 'ask')
    const held = page.getByRole('article', { name: 'Held: fonts.test:8080' })
    await held.waitFor()
    await held.getByText('Only this connection.').waitFor()
    expect(await faultsOf(page, 'egress')).toEqual([])
    await using other = await browser.signedIn('operator')
    await other.to('/egress')
    const theirs = other.page.getByRole('article', { name: 'Held: fonts.test:8080' })
    await theirs.waitFor()
    expect(await theirs.getByRole('button', { name: 'Always allow …' }).count()).toBe(0)
    expect(await other.page.getByText('which only owners can read').count()).toBe(1)
    expect(await faultsOf(other.page, 'egress-operator')).toEqual([])
    await theirs.getByRole('button', { name: 'Deny' }).click()
    await other.page.getByText('No connection is held.').waitFor()
    await page.getByText(/is no longer held: denied once by operator \(session [\w-]+\), at/).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await ended(job)
    await page.getByRole('row', { name: /denied fonts\.test:8080 log-miner denied once by operator \(session / }).waitFor()

    const again = await give('log-miner', 'ask')
    await held.waitFor()
    await held.getByRole('button', { name: 'Always allow …' }).click()
    await page.getByRole('dialog').getByText('allow fonts.test:8080').waitFor()
    expect(await faultsOf(page, 'egress-always')).toEqual([])
    await page.getByRole('button', { name: 'Always allow', exact: true }).click()
    await page.getByRole('heading', { name: 'Remembered answers' }).waitFor()
    const remembered = page.getByRole('listitem').filter({ hasText: 'fonts.test:8080' })
    await remembered.waitFor()
    await ended(again)
    await other.to('/egress')
    await other.page.getByRole('listitem').filter({ hasText: 'fonts.test:8080' }).waitFor()
    expect(await other.page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
    await remembered.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The answer was removed').waitFor()
    await remembered.waitFor({ state: 'detached' })
    expect((await fleet.api.GET('/api/v1/approvals')).data?.remembered).toEqual([])
    await owner.to('/audit?kind=fleet.approval')
    await page.getByText('/api/v1/approvals/:answer').first().waitFor()

    await owner.to('/egress?decision=denied&agent=log-miner&host=metrics')
    await page
      .getByRole('row', { name: /denied metrics\.test/ })
      .first()
      .waitFor()
    expect(await page.getByRole('row', { name: /ok\.test|169\.254/ }).count()).toBe(0)
    expect([...owner.complaints, ...other.complaints]).toEqual([])
  })

  test('settings are kept by the browser, and webhooks are added, tested, paused and deleted', async () => {
    await using visit = await browser.signedIn('owner', { permissions: ['notifications'] })
    const { page } = visit
    await visit.to('/settings')
    await page.getByLabel('Theme').selectOption('Dark')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.getByLabel('Rows', { exact: true }).selectOption('Comfortable')
    await page.getByLabel('Terminal', { exact: true }).selectOption('Match the theme')
    await page.getByLabel('Screen reader mode in terminals').check()
    expect(await page.evaluate('localStorage.getItem("paddock.screen-reader")')).toBe('true')
    await page.getByLabel('Single-key shortcuts').uncheck()
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.reload()
    expect(await page.getByLabel('Theme').inputValue()).toBe('dark')
    expect(await page.evaluate('JSON.stringify(document.documentElement.dataset)')).toBe(
      JSON.stringify({ theme: 'dark', density: 'comfortable', terminal: 'theme' }),
    )
    await page.getByLabel('Single-key shortcuts').check()
    await page.getByLabel('Theme').selectOption('Match the system')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Name').fill('chat')
    await page.reload()
    // The draft is kept, but not the address, which may contain a secret.
    expect(await page.getByLabel('Name').inputValue()).toBe('chat')
    expect(await page.getByLabel('URL').inputValue()).toBe('')
    await page.getByLabel('URL').fill('https://receiver.invalid/hook/secret-path')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('The webhook chat was added.').waitFor()
    const row = page.getByRole('row', { name: /chat/ })
    await row.getByRole('button', { name: 'Test' }).click()
    await row.getByText(/The test was refused/).waitFor()
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('paused').waitFor()
    expect(await faultsOf(page, 'settings')).toEqual([])
    await using viewer = await browser.signedIn('viewer')
    await viewer.to('/settings')
    await viewer.page.getByText('Only owners can add and change webhooks.').waitFor()
    await viewer.page.getByText('visible to operators and owners').first().waitFor()
    expect(await viewer.page.getByText('secret-path').count()).toBe(0)
    await row.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('There are no webhooks yet.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect([...visit.complaints, ...viewer.complaints]).toEqual([])
  })

  test('logins have their health and who depends on them; the vault is unlocked, filled and locked; a token is shown once', async () => {
    const tokens = { access: 'canary-access', refresh: 'canary-refresh', id: 'canary.id.token' }
    putLogin(fleet.stage.home, 'claude', { ...tokens, expiresAt: new Date(Date.now() + 3 * 86_400_000) })
    putLogin(fleet.stage.home, 'gemini', { ...tokens, refresh: '', expiresAt: new Date(Date.now() - 7_200_000) })
    fleet.stage.own()
    for (const name of ['docs-writer', 'a11y-review']) await models.createAny({ name, agent: 'claude', egress: { policy: 'off' } })
    await models.createAny({ name: 'dep-bumps', agent: 'codex', egress: { policy: 'off' } })
    await using visit = await browser.signedIn()
    const { page } = visit
    await visit.to('/credentials')
    await page
      .getByRole('row', { name: /healthy claude/ })
      .getByText('docs-writer')
      .waitFor()
    await page.getByRole('row', { name: /expired gemini/ }).waitFor()
    await page
      .getByRole('row', { name: /no login codex/ })
      .getByRole('button', { name: 'Log in …' })
      .click()
    await page.getByRole('dialog').getByText('paddock login codex').waitFor()
    expect(await page.getByRole('dialog').getByRole('link', { name: 'open it' }).getAttribute('href')).toBe('/agents/dep-bumps/terminal')
    expect(await faultsOf(page, 'credentials-log-in')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await faultsOf(page, 'credentials')).toEqual([])
    expect(await page.content()).not.toContain('canary')
    await visit.to('/more')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Credentials' })
      .getByText(/^[1-9]\d* EXPIRED$/)
      .waitFor()
    await visit.to('/credentials')

    expect((await paddock(fleet.stage, ['vault', 'init'], { input: `${passphrase}\n` })).code).toBe(0)
    await page.getByRole('link', { name: 'Vault' }).click()
    await page.getByLabel('Passphrase').fill('wrong horse')
    await page.getByRole('button', { name: 'Unlock', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Passphrase').inputValue()).toBe('')
    expect(await faultsOf(page, 'vault-locked')).toEqual([])
    await page.getByLabel('Passphrase').fill(passphrase)
    await page.getByRole('button', { name: 'Unlock', exact: true }).click()
    await page.getByText('The vault is empty.').waitFor()
    for (const [name, place] of [
      ['DEPLOY_KEY', 'header:x-api-key'],
      ['SEARCH_TOKEN', 'header:authorization=Bearer'],
    ] as const) {
      await page.getByRole('button', { name: 'New secret' }).click()
      expect(await page.getByLabel('Value').inputValue()).toBe('')
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Value').fill('canary-value-77f0aa')
      await page.getByLabel('Hosts').fill('deploy.example.com, *.example.com')
      await page.getByLabel('Place in a request').fill(place)
      await page.getByRole('button', { name: 'Add secret' }).click()
      await page.getByRole('row', { name: new RegExp(`${name} ${place}`) }).waitFor()
    }
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('canary')
    expect(await faultsOf(page, 'vault')).toEqual([])
    await page
      .getByRole('row', { name: /DEPLOY_KEY/ })
      .getByRole('button', { name: 'Replace' })
      .click()
    const replacing = page.getByRole('dialog')
    await replacing.getByLabel('Value').fill('canary-value-88e1bb')
    await replacing.getByLabel('Hosts').fill('other.example.com')
    expect(await faultsOf(page, 'vault-replace')).toEqual([])
    await replacing.getByRole('button', { name: 'Replace secret' }).click()
    await page.getByRole('row', { name: /DEPLOY_KEY header:x-api-key other\.example\.com/ }).waitFor()
    await page
      .getByRole('row', { name: /SEARCH_TOKEN/ })
      .getByRole('button', { name: 'Remove …' })
      .click()
    await page.getByRole('button', { name: 'Remove SEARCH_TOKEN' }).click()
    await page.getByRole('row', { name: /SEARCH_TOKEN/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Lock now' }).click()
    await page.getByLabel('Passphrase').waitFor()

    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('phone')
    await page.getByText('runs jobs, answers, applies changes, and edits agents').waitFor()
    expect(await faultsOf(page, 'new-token')).toEqual([])
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('The token phone was created.').waitFor()
    const secret = (await page.locator('.aside.good code').textContent()) ?? ''
    const ask = (): Promise<number> =>
      fetch(`${fleet.url}/api/v1/agents`, { headers: { authorization: `Bearer ${secret}` } }).then(({ status }) => status)
    expect(await ask()).toBe(200)
    expect(await faultsOf(page, 'tokens')).toEqual([])
    await page
      .getByRole('row', { name: /active phone/ })
      .getByRole('button', { name: 'Revoke …' })
      .click()
    await page.getByRole('button', { name: 'Revoke phone' }).click()
    await page.getByRole('row', { name: /revoked phone/ }).waitFor()
    expect(await ask()).toBe(401)
    await page.reload()
    await page.getByRole('row', { name: /revoked phone/ }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await using viewer = await browser.signedIn('viewer')
    await viewer.to('/credentials')
    await viewer.page.getByText('Only operators and owners can see credentials.').waitFor()
    // The server refused two requests: the vault was locked, and the passphrase was wrong.
    expect([...visit.complaints, ...viewer.complaints].filter((each) => !/status of (?:423|403)/.test(each))).toEqual([])
  })

  test('the audit log is verified, filtered and unfolded, and a line of a cell names its agent', async () => {
    await using visit = await browser.signedIn()
    const { page } = visit
    await visit.to('/audit')
    await page.getByText('The log is intact.').waitFor()
    await page
      .getByRole('row', { name: /egress\.dns metrics\.test, denied log-miner/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'fleet.token' }).first().click()
    await page.getByText('"kind": "fleet.token"').waitFor()
    expect(await faultsOf(page, 'audit')).toEqual([])
    await page.getByLabel('Kind').selectOption('egress.allow')
    await page.getByLabel('Agent').selectOption('log-miner')
    await page.getByLabel('Host').fill('ok.t')
    await page.waitForURL(/\/audit\?kind=egress\.allow&agent=log-miner&host=ok\.t$/)
    await page
      .getByRole('row', { name: /egress\.allow ok\.test/ })
      .first()
      .waitFor()
    expect(await page.getByRole('row', { name: /egress\.dns/ }).count()).toBe(0)
    for (let n = 0; n < 100; n++) await fleet.api.POST('/api/v1/tokens', { body: { name: `many-${n}`, role: 'viewer', expiresAt: null } })
    await visit.to('/audit')
    await page.getByRole('button', { name: 'Load older rows' }).click()
    await page.getByRole('button', { name: 'Load older rows' }).waitFor({ state: 'detached' })
    // Only rows near the window are drawn.
    const oldest = page.getByRole('cell', { name: '1', exact: true })
    const countAtEnd = async (): Promise<number> => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      return await oldest.count()
    }
    await expect.poll(countAtEnd).toBe(1)
    await page.evaluate('scrollTo(0, 0)')
    await models.createAny({ name: 'later', agent: 'command', command: ['true'], egress: { policy: 'off' } })
    await page.getByRole('button', { name: /\d new rows?/ }).click()
    await page
      .getByRole('row', { name: /POST \/api\/v1\/agents/ })
      .first()
      .waitFor()
    expect(visit.complaints).toEqual([])
  })

  // There are more than a hundred probes, each in a cell, which take long on a busy machine.
  test('the guarantees are tried on this machine, and the page says what was seen', { timeout: 1_200_000 }, async () => {
    await using visit = await browser.signedIn('operator')
    const { page } = visit
    await visit.to('/guarantees')
    await page.getByRole('button', { name: 'Try to break them now' }).click()
    await page.getByText('Every guarantee is being tested in real cells.').waitFor()
    expect(await faultsOf(page, 'guarantees-running')).toEqual([])
    await page.getByText('Every guarantee is being tested in real cells.').waitFor({ state: 'detached', timeout: 0 })
    await page
      .getByRole('button', { name: /^Traffic leaves|^From your home directory/ })
      .first()
      .click()
    await page.getByText('Why this is enough').waitFor()
    expect(await faultsOf(page, 'guarantees')).toEqual([])
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('button', { name: 'Check again' }).waitFor()
    await using viewer = await browser.signedIn('viewer')
    await viewer.to('/guarantees')
    await viewer.page.getByRole('heading', { name: 'What this machine can enforce' }).waitFor()
    expect(await viewer.page.getByRole('button', { name: /Try to break|Check again/ }).count()).toBe(0)
    expect([...visit.complaints, ...viewer.complaints]).toEqual([])
  })

  test('usage of jobs is drawn by day, listed, and compared with budgets', async () => {
    await models.create('summariser', { budgets: { day: { usd: 1 } } })
    await ended(await give('summariser', 'say something'))
    // The rows that earlier days would have left.
    using database = new DatabaseSync(path.join(fleet.data, 'fleet.db'))
    const add = database.prepare(
      "INSERT INTO usage (day, agent_id, agent, kind, model, jobs, unpriced, input, output, cached_input, cost_usd, tool_calls, wall_ms, turns, cell_ms) VALUES (?, ?, ?, 'claude', ?, ?, 0, ?, ?, 0, ?, 3, 60000, 4, 50000)",
    )
    const names = ['claude-sonnet', 'gpt-5-codex', 'gemini-pro', 'claude-haiku', 'qwen3-coder', '<b>model</b>']
    for (let ago = 1; ago < 28; ago++) {
      const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
      for (const [n, model] of names.entries()) {
        const size = ((ago * 7 + n * 5) % 11) / (n + 1)
        if (size > 0) add.run(day, `a-${n}`, `agent-${n}`, model, n + 1, Math.round(size * 200_000), Math.round(size * 20_000), size)
      }
    }
    await using visit = await browser.signedIn('viewer')
    const { page } = visit
    await visit.to('/usage')
    await page.getByRole('img', { name: /to today\. Today \$/ }).waitFor()
    await page.getByRole('region', { name: 'summariser, day, usd' }).getByText('of $1.00').waitFor()
    await page.getByRole('row', { name: /claude-sonnet/ }).waitFor()
    await page.getByRole('row', { name: /<b>model<\/b>/ }).waitFor()
    expect(await faultsOf(page, 'usage')).toEqual([])
    await page.getByRole('button', { name: 'By kind' }).click()
    // The text contains the name and its title.
    await page.locator('svg text', { hasText: /^(claude){2}$/ }).waitFor()
    await page.getByRole('button', { name: 'By agent' }).click()
    await page.getByRole('button', { name: 'Tokens' }).click()
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('columnheader', { name: 'agent-0' }).waitFor()
    await page.getByRole('columnheader', { name: 'all others' }).waitFor()
    expect(new URL(page.url()).search).toBe('?by=agent&unit=tokens&shown=table')
    expect(await faultsOf(page, 'usage-table')).toEqual([])
    await page.getByLabel('Period').selectOption('7 days')
    await page.waitForURL(/days=7/)
    await page.reload()
    await page.getByRole('columnheader', { name: 'agent-0' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a contest is started, followed without its scores, and its report runs nothing that a submission wrote', async () => {
    const hello = path.join(fleet.stage.project, 'hello')
    cpSync(fileURLToPath(new URL('../../examples/hello', import.meta.url)), hello, { recursive: true })
    const yaml = path.join(hello, 'contest.yaml')
    const hostile = `<script>alert(1)</script><img src=/api/v1/agents onerror=alert(2)><a href=https://evil.test/>x</a>`
    writeFileSync(yaml, readFileSync(yaml, 'utf8').replace(/^description:.*$/m, `description: "${hostile}"`))
    fleet.stage.own()
    await using visit = await browser.signedIn('operator')
    const { page } = visit
    await visit.to('/contests')
    await page.getByLabel('Directory').selectOption(hello)
    await page.getByText('no cost, because no model is used').waitFor()
    expect(await faultsOf(page, 'contests-estimate')).toEqual([])
    await page.getByRole('button', { name: 'Start contest' }).click()
    await page.waitForURL(/\/contests\/c-/)
    await page.getByText('Scores of this round stay sealed').waitFor()
    await page.getByRole('row', { name: /careful/ }).waitFor()
    expect(await page.getByText('Score', { exact: true }).count()).toBe(0)
    await using fleetPage = await browser.signedIn('viewer')
    await fleetPage.to('/fleet')
    await fleetPage.page.getByText(/Round 1 · participants: \d+ /).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const early = await fleet.api.GET('/api/v1/contests/{contest}/report.html', { params: { path: { contest: id } }, parseAs: 'text' })
    const { data: contest } = await fleet.api.GET('/api/v1/contests/{contest}', { params: { path: { contest: id } } })
    // On a slow machine it may have ended meanwhile.
    if (contest?.state === 'running') expect(early.response.status).toBe(409)
    expect(await faultsOf(page, 'contest-running')).toEqual([])
    await page.getByRole('heading', { name: 'Result' }).waitFor({ timeout: 240_000 })
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    const frame = page.frameLocator('iframe[title="Report of hello"]')
    // The leader depends on how busy the machine is, because judges of the demo measure speed.
    await frame.getByText(/ on this one brief, according to 3 judges/).waitFor()
    await frame.getByText(hostile).first().waitFor()
    // The report's own style sheet is allowed.
    const collapse = await frame
      .locator('table')
      .first()
      .evaluate(
        (table) =>
          (globalThis as unknown as { getComputedStyle(each: unknown): { borderCollapse: string } }).getComputedStyle(table).borderCollapse,
      )
    expect(collapse).toBe('collapse')
    // Its own script is allowed too. Links to paths on the server's machine are removed here.
    await frame.getByRole('button', { name: /^summarise, / }).waitFor()
    expect(await frame.locator('img, .kept a').count()).toBe(0)
    expect(await faultsOf(page, 'contest')).toEqual([])
    expect(asked.filter((each) => !each.includes('/api/v1/'))).toEqual([])

    const answer = await fetch(`${fleet.url}/api/v1/contests/${id}/report.html`, {
      headers: { authorization: `Bearer ${await fleet.token('viewer')}` },
    })
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts$/,
    )
    await answer.body?.cancel()

    // Whatever the report contains, the frame does not run it and reaches no other server.
    let reached = 0
    const elsewhere = createServer((_request, response) => {
      reached++
      response.end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const evil = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    const attack = [
      '<script>parent.document.title = "broken out"</script>',
      `<img src="${evil}/x"><link rel="stylesheet" href="${evil}/css"><iframe src="${evil}/frame"></iframe>`,
      `<a href="${evil}/link">leave</a><p>there</p>`,
    ].join('')
    await page.evaluate(`document.querySelector('iframe.report').srcdoc = ${JSON.stringify(attack)}`)
    await frame.getByText('there').waitFor()
    expect(await page.title()).toBe('hello – Paddock')
    await frame.getByText('leave').click()
    expect(await page.title()).toBe('hello – Paddock')
    const refresh = `<meta http-equiv="refresh" content="0;url=${evil}/refresh">`
    await page.evaluate(`document.querySelector('iframe.report').srcdoc = ${JSON.stringify(refresh)}`)
    // Nothing should happen, so there is no event to wait for.
    await page.waitForTimeout(1000)
    expect(await page.title()).toBe('hello – Paddock')
    expect(reached).toBe(0)
    elsewhere.close()
    expect(visit.complaints.filter((each) => !/sandbox|Content Security Policy/.test(each))).toEqual([])

    await visit.to('/contests')
    await page.getByRole('row', { name: /done hello.* on this one brief, according to 3 judges/ }).waitFor()
    expect(await faultsOf(page, 'contests')).toEqual([])
    await page.getByRole('link', { name: 'hello', exact: true }).click()
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove …' }).click()
    await page.getByRole('button', { name: 'Remove contest' }).click()
    await page.getByText('No contest has been started yet').waitFor()

    const slow = path.join(fleet.stage.project, 'slow')
    mkdirSync(slow)
    const lines = [
      'schemaVersion: 1',
      'name: slow',
      'participants:',
      '  - { name: one, agent: command, command: [sleep, "600"] }',
      'checks:',
      '  - { name: there, command: [test, -d, /submission] }',
      '',
    ]
    writeFileSync(path.join(slow, 'contest.yaml'), lines.join('\n'))
    writeFileSync(path.join(slow, 'BRIEF.md'), 'Sleep.\n')
    fleet.stage.own()
    await page.reload()
    await page.getByLabel('Directory').selectOption(slow)
    await page.getByRole('button', { name: 'Start contest' }).click()
    const cancel = async (): Promise<void> => {
      await page.getByRole('row', { name: /running one/ }).waitFor()
      await page.getByRole('button', { name: 'Cancel round …' }).click()
      await page.getByRole('button', { name: 'Cancel round', exact: true }).click()
      await page.getByText('cancelled', { exact: true }).first().waitFor()
    }
    await cancel()
    expect(await faultsOf(page, 'contest-cancelled')).toEqual([])
    const first = page.url()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL((url) => /\/contests\/c-/.test(url.pathname) && url.href !== first)
    await cancel()
    await using viewer = await browser.signedIn('viewer')
    await viewer.to('/contests')
    await viewer.page
      .getByRole('row', { name: /cancelled slow/ })
      .first()
      .waitFor()
    expect(await viewer.page.getByRole('button', { name: /Start|Cancel|Remove/ }).count()).toBe(0)
    expect(viewer.complaints).toEqual([])
  })
})
