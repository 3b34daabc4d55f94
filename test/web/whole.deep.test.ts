import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../support/browser.ts'
import { isLab } from '../support/cli.ts'
import { type ModelFleet, startModelFleet } from '../support/fleet-models.ts'
import type { Conversation } from '../support/model-servers/script.ts'

/** A way to use a page. */
interface Hand {
  press(target: Locator): Promise<void>
  fill(target: Locator, text: string): Promise<void>
  /** @param value the value of the option */
  select(target: Locator, value: string): Promise<void>
}

const mouse: Hand = {
  press: (target) => target.click(),
  fill: (target, text) => target.fill(text),
  select: async (target, value) => void (await target.selectOption(value)),
}

/** Uses only Tab, Enter and letters. */
function keyboard(page: Page): Hand {
  const most = 150
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let tabs = 0; tabs < most; tabs += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${target} is not reached by ${most} times Tab`)
  }
  return {
    press: async (target) => {
      await reach(target)
      await page.keyboard.press('Enter')
    },
    fill: async (target, text) => {
      await reach(target)
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(text)
    },
    select: async (target, value) => {
      await reach(target)
      // Typing the text of an option selects it.
      await page.keyboard.type(await textOf(target, value))
      expect(await target.inputValue()).toBe(value)
    },
  }
}

/** The text of an option. All are read in one step, as they may still be loading. */
const textOf = async (list: Locator, value: string): Promise<string> => {
  const options = await list.locator('option').evaluateAll((all) => all.map((each) => [each.getAttribute('value'), each.textContent]))
  const found = options.find((each) => each.includes(value))?.[1]
  if (found === undefined || found === null) throw new Error(`no option ${value}`)
  return found
}

describe('the whole story, over one server', () => {
  let models: ModelFleet
  let browser: TestBrowser
  beforeAll(async () => {
    models = await startModelFleet()
    browser = await openBrowser(models.fleet)
    const { stage } = models.fleet
    writeFileSync(path.join(stage.home, '.gitconfig'), '[user]\n\tname = A\n\temail = a@host.example\n')
    git('init', '-q')
    git('-c', 'user.name=A', '-c', 'user.email=a@host.example', 'commit', '-q', '--allow-empty', '-m', 'first')
    stage.own()
  })
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', '-C', models.fleet.stage.project, ...args], { encoding: 'utf8' })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await models[Symbol.asyncDispose]()
  })

  const ways = [
    ['by keyboard on a phone', 'narrow', 390],
    ['with a mouse', 'wide', 1280],
  ] as const
  test.each(isLab ? ways : ways.slice(0, 1))(
    '%s: an agent is defined, works, asks, is watched over gaps, its change is committed, and its terminal outlives the server',
    async (_how, name, width) => {
      const { fleet, scripts } = models
      const { project } = fleet.stage
      await using visit = await browser.open({ viewport: { width, height: 844 } })
      const { page, context } = visit
      const { press, fill, select } = width === 390 ? keyboard(page) : mouse
      const button = (text: string | RegExp) => page.getByRole('button', { name: text })

      await page.goto(await browser.link())
      await press(page.getByRole('link', { name: 'New agent' }).first())
      await fill(page.getByLabel('Name', { exact: true }), name)
      const agents = page.getByLabel('Agent', { exact: true })
      await agents.locator('option[value="claude"]').waitFor({ state: 'attached' })
      await select(agents, 'model')
      await select(page.getByLabel('Provider'), 'openai-compatible')
      await fill(page.getByLabel('Endpoint', { exact: true }), `${models.models.url}/v1`)
      await fill(page.getByLabel('Model', { exact: true }), 'm')
      const keyless = page.getByLabel('Its endpoint needs no key')
      if (width === 390) {
        await fill(keyless, '')
        await page.keyboard.press('Space')
      } else await keyless.check()
      await fill(page.getByLabel('Tools', { exact: true }), 'bash')
      await select(page.getByLabel('Works in'), 'copy')
      await select(page.getByLabel('Project', { exact: true }), project)
      await fill(page.getByLabel('Hosts that need your permission'), 'a.test:8080')
      await press(button('Create agent'))
      await page.waitForURL(new RegExp(`/agents/${name}/jobs$`))

      const asks = 'curl -sS -m 100 http://a.test:8080/ || echo refused'
      // It continues while nobody watches.
      const works = 'i=0; while [ $i -lt 12 ]; do i=$((i+1)); sleep 0.5; done; echo counted to $i'
      const calls = [asks, works, `echo ${name} > ${name}.md`].map((command) => ({ call: 'bash', input: { command } }))
      scripts.set(`${name}:`, ({ toolResults }: Conversation) => calls[toolResults.length] ?? { say: 'written' })
      scripts.set(`${name}-long:`, ({ toolResults }: Conversation) =>
        toolResults.length === 0 ? { call: 'bash', input: { command: 'sleep 500' } } : { say: 'over' },
      )
      await fill(page.getByLabel('Prompt'), `${name}: write a file`)
      await page.keyboard.press('Control+Enter')
      await page.waitForURL(/\/jobs\/j-/)
      const job = page.url()
      await press(page.getByRole('link', { name: 'Answer' }).first())
      await page.getByRole('heading', { name: `May ${name} reach this?` }).waitFor()
      await press(button(/^Deny/))
      await page.getByText('Denied').first().waitFor()

      await page.goto(job)
      await page.getByRole('log').getByText('curl -sS').first().waitFor()
      await page.getByRole('log').getByText('while [').first().waitFor()
      await context.setOffline(true)
      await page.getByText('Offline').first().waitFor({ state: 'attached' })
      await page.getByRole('log').getByText('curl -sS').first().waitFor()
      await context.setOffline(false)
      await page.locator('.pill').getByText('done').waitFor()
      await page.getByRole('log').getByText('written').waitFor()
      expect(await page.getByRole('log').getByText('while [').count()).toBe(1)

      await press(page.getByRole('link', { name: 'Review and apply' }))
      await page
        .getByRole('region', { name: `${name}.md` })
        .getByText(name)
        .first()
        .waitFor()
      await fill(page.getByLabel('Commit message'), `Add ${name}`)
      await press(button(/^Apply 1 file and commit/))
      await page.getByText('There is nothing to apply').waitFor()
      expect(git('show', '--stat', '--format=%s')).toMatch(new RegExp(`^Add ${name}\\n[^]*${name}\\.md`))

      await page.goto(`${fleet.url}/agents/${name}/jobs`)
      await fill(page.getByLabel('Prompt'), `${name}-long: sleep`)
      await page.keyboard.press('Control+Enter')
      await page.waitForURL(/\/jobs\/j-/)
      const long = page.url()
      await page.getByRole('log').getByText('sleep 500').first().waitFor()
      await page.goto(`${fleet.url}/agents/${name}/terminal`)
      await press(button('Open terminal'))
      await page.waitForURL(/\/sessions\//)
      const terminal = page.url()
      const rows = page.locator('.xterm-rows')
      await page.getByText('You are in control.').first().waitFor()
      // The terminal has the focus only when it is live.
      await page.locator('.tbar').getByText('Live', { exact: true }).waitFor()
      await page.keyboard.type('kept=4; echo is $((kept + 1))\n')
      await rows.getByText('is 5').first().waitFor()
      await fleet.kill('SIGKILL')
      await page.getByText('Offline').first().waitFor({ state: 'attached' })
      await fleet.start(['--listen', new URL(fleet.url).host])
      await page.locator('.tbar').getByText('Live', { exact: true }).waitFor()
      await page.keyboard.type('echo was $((kept + 2))\n')
      await rows.getByText('was 6').first().waitFor()

      await page.goto(long)
      await press(button('Cancel job'))
      await page.locator('.pill').getByText('cancelled').waitFor()
      await page.goto(terminal)
      await page.locator('.tbar').getByText('Live', { exact: true }).waitFor()
      await page.keyboard.press('Control+Shift+ArrowUp')
      await press(page.locator('.more > summary'))
      await press(button(/^End terminal/).first())
      await press(page.getByRole('dialog').getByRole('button', { name: /^End/ }))
      await page.locator('.tbar').getByText('Ended').waitFor()
      // The browser itself reports failed loads, and the 404 once all changes were applied.
      expect(
        visit.complaints.filter(
          (line) => !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|WebSocket|status of 404/.test(line),
        ),
      ).toEqual([])
    },
  )
})
