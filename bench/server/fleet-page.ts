import type { Browser } from 'playwright-core'
import type { Figure } from '../measure.ts'
import { busyMs, signedIn } from './browser.ts'
import { ask, type BenchPlace, type BenchServer } from './server.ts'

/** Reads the same events and only parses them. */
const parsesOnly = `void (async () => {
  const headers = { accept: 'text/event-stream', 'x-paddock-session': localStorage.getItem('paddock.session') }
  const { body } = await fetch('/api/v1/events', { headers })
  let text = ''
  globalThis.seen = 0
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\\n\\n')
    text = blocks.pop()
    for (const block of blocks)
      for (const line of block.split('\\n')) if (line.startsWith('data: ')) globalThis.seen += typeof JSON.parse(line.slice(6)) === 'object'
  }
})()`

/** Measures the fleet page's work for an event, compared to a page that only parses the same events. */
export async function fleetPage(
  place: BenchPlace,
  server: BenchServer,
  data: string,
  browser: Browser,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Figure[]> {
  const events = perSecond * seconds
  const happens = async (): Promise<void> => {
    const began = performance.now()
    // Each job is queued, and ends.
    for (let each = 0; each < events / 2; each += 1) {
      const { id } = await ask<{ id: string }>(server, 'POST', '/jobs', { agent: `agent-${each % 200}`, prompt: 'x' })
      await ask(server, 'POST', `/jobs/${id}/cancel`)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + ((each + 1) * 2_000) / perSecond - performance.now())))
    }
  }
  const page = await signedIn(browser, place, data)
  // The agents of this figure, and the few that earlier figures made.
  await page.getByText(/^2\d\d agents ·/).waitFor()
  const parsing = await signedIn(browser, place, data)
  await parsing.goto(`${server.url}/theme.js`)
  await parsing.evaluate(parsesOnly)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  let least = 0
  const shown = await busyMs(page, async () => {
    least = await busyMs(parsing, happens)
  })
  const seen = Number(await parsing.evaluate('globalThis.seen'))
  await page.context().close()
  await parsing.context().close()
  const ratio = shown / least
  return [
    {
      name: `page of the fleet, 200 agents, ${perSecond} events/s`,
      value: `${(shown / events).toFixed(2)} ms of a processor an event; one that only parses them (${seen}) ${(least / events).toFixed(2)} ms: ${ratio.toFixed(2)}`,
      bar: 'at most 3 times',
      met: ratio <= 3 && seen >= events,
    },
  ]
}
