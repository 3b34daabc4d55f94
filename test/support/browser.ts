import { mkdirSync } from 'node:fs'
import path from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { paddock } from './cli.ts'
import type { FleetServer } from './fleet-server.ts'

/** The directory for screenshots of each view; unset: none are taken. */
const pictures = process.env['PADDOCK_PICTURES']

/** The maximum height of a screenshot in pixels, from the top of the page. */
const highest = 1_800

const wide = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const looks = [
  ['light', wide],
  ['dark', wide],
  ['light', phone],
  ['dark', phone],
] as const

/** A separate browser with one page, and its complaints. */
export interface Visit extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  /** Console warnings and errors, page errors, and violations of the content security policy. */
  readonly complaints: readonly string[]
  /** Goes to a path of the server. */
  to(path: string): Promise<void>
}

export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser
  /** Returns a link that signs a browser in once. */
  link(role?: string, name?: string): Promise<string>
  /** Opens a browser without a session. */
  open(options?: BrowserContextOptions): Promise<Visit>
  /** Opens a browser and signs it in. */
  signedIn(role?: string, options?: BrowserContextOptions): Promise<Visit>
}

/** Starts this machine's Chromium for a server. */
export async function openBrowser(fleet: FleetServer): Promise<TestBrowser> {
  // The browser runs as root in a test machine, where its own sandbox does not start.
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const link = async (role = 'owner', name?: string): Promise<string> => {
    const words = ['open', '--role', role, ...(name === undefined ? [] : ['--name', name])]
    const { stdout, stderr } = await paddock(fleet.stage, [...words, '--data', fleet.data])
    if (stdout === '') throw new Error(stderr)
    return stdout.trim()
  }
  const open = async (options: BrowserContextOptions = {}): Promise<Visit> => {
    const context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`.trim())
    })
    page.on('pageerror', (error) => void complaints.push(String(error)))
    return {
      context,
      page,
      complaints,
      to: async (to) => void (await page.goto(fleet.url + to)),
      [Symbol.asyncDispose]: () => context.close(),
    }
  }
  return {
    browser,
    link,
    open,
    async signedIn(role, options) {
      const visit = await open(options)
      await visit.page.goto(await link(role))
      await visit.page.getByRole('navigation', { name: 'Main', includeHidden: true }).waitFor({ state: 'attached' })
      return visit
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/**
 * Checks a page in both themes, wide and on a phone, and takes a screenshot of each if PADDOCK_PICTURES names a directory. Returns the
 * faults: violated axe rules, and a page wider than its window. `isQuick`: only the light theme, and no axe rules on a phone.
 */
export async function faultsOf(page: Page, name: string, { isQuick = false } = {}): Promise<readonly string[]> {
  const faults: string[] = []
  for (const [theme, size] of isQuick && pictures === undefined ? looks.filter(([theme]) => theme === 'light') : looks) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    const look = `${name}-${theme}-${size.width}`
    await picture(page, look)
    // The themes differ only in colours.
    if (size === wide || (theme === 'light' && !isQuick))
      for (const each of await violations(page, theme === 'light' ? null : 'color-contrast')) faults.push(`${look}: ${each}`)
    const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
    if (overflow > 0) faults.push(`${look}: the page is ${overflow} px wider than the window`)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(wide)
  return faults
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  const [width, height] = (await page.evaluate('[document.documentElement.clientWidth, document.documentElement.scrollHeight]')) as [
    number,
    number,
  ]
  const clip = { x: 0, y: 0, width, height: Math.min(height, highest) }
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true, clip })
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/**
 * Returns the axe rules that the page violates (only `only` if given), each with the first element. Scripts bypass the content security
 * policy of the page, as with a debugger.
 */
async function violations(page: Page, only: string | null): Promise<readonly string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe.source)
  // Frames without scripts cannot answer axe.
  const options = { iframes: false, resultTypes: ['violations'], ...(only === null ? {} : { runOnly: [only] }) }
  const { violations: found } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResult
  return found.map(({ id, help, nodes }) => {
    const [first] = nodes
    return `${id} (${help}), ${nodes.length} times: ${first?.html ?? ''} ${first?.failureSummary?.replaceAll(/\s+/g, ' ') ?? ''}`
  })
}
