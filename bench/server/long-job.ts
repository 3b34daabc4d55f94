import path from 'node:path'
import type { Browser } from 'playwright-core'
import type { Figure } from '../measure.ts'
import { signedIn } from './browser.ts'
import { ask, type BenchPlace, endHosts, startServer } from './server.ts'

/** Collects the durations in milliseconds of long tasks on the main thread (W3C Long Tasks: over 50 ms). */
const watchTasks = `globalThis.longTasks = []
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration) }).observe({ type: 'longtask', buffered: true })`

/** Measures how long the page does not respond while it opens a job with many events and goes to its end. */
export async function longJob(place: BenchPlace, browser: Browser, { events }: { events: number }): Promise<Figure[]> {
  const data = path.join(place.root, 'long-job')
  const server = await startServer(place, data)
  const command = ['sh', '-c', `seq -f 'line %g of a program that has much to say' ${events}`]
  await ask(server, 'POST', '/agents', { manifest: { name: 'talker', agent: 'command', command, egress: { policy: 'off' } } })
  const { id } = await ask<{ id: string }>(server, 'POST', '/jobs', { agent: 'talker', prompt: 'x' })
  const state = async () => (await ask<{ state: string }>(server, 'GET', `/jobs/${id}`)).state
  while ((await state()) !== 'done') await new Promise((resolve) => setTimeout(resolve, 100))
  const page = await signedIn(browser, place, data)
  await page.addInitScript(watchTasks)
  const began = performance.now()
  await page.goto(`${server.url}/jobs/${id}`)
  await page.getByRole('button', { name: `Everything ${events.toLocaleString('en')}` }).waitFor()
  const shownMs = performance.now() - began
  await page.keyboard.press('G')
  await page.getByText(`line ${events} of`).waitFor()
  // A long task is reported when it is over.
  await page.waitForTimeout(500)
  const tasks = (await page.evaluate('globalThis.longTasks')) as number[]
  await page.context().close()
  await server.stop('SIGTERM')
  endHosts(data)
  const longest = Math.max(0, ...tasks)
  return [
    {
      name: `page of a job with ${events} events, longest task`,
      value: `${longest.toFixed(0)} ms (${tasks.length} over 50 ms), all of it there after ${(shownMs / 1000).toFixed(1)} s`,
      bar: 'none over 100 ms',
      met: longest <= 100,
    },
  ]
}
