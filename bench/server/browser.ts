import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { BenchPlace } from './server.ts'

const bin = fileURLToPath(new URL('../../bin/paddock.mjs', import.meta.url))

/** Starts the Chromium of this machine. Benchmarks run as root, for which its own sandbox does not start. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
}

/** Returns a page in its own process that is signed in as the owner. */
export async function signedIn(browser: Browser, { env }: BenchPlace, data: string): Promise<Page> {
  const link = execFileSync(process.execPath, [bin, 'open', '--data', data], { env, encoding: 'utf8' }).trim()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(link)
  await page.waitForURL(/\/fleet$/)
  return page
}

/** Returns the milliseconds for which the main thread of a page was busy during an action. */
export async function busyMs(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const before = await read()
  await act()
  const after = await read()
  await session.detach()
  return after - before
}
