// Measures the cost of a fleet of agents, as ratios within one run if there is a peer: npm run bench:server
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { inTurn, median, show } from '../measure.ts'
import { startBrowser } from './browser.ts'
import { busy } from './busy.ts'
import { fleetPage } from './fleet-page.ts'
import { lives, memory } from './lives.ts'
import { longJob } from './long-job.ts'
import { processes } from './processes.ts'
import { processor } from './processor.ts'
import { reads } from './reads.ts'
import { seed } from './seed.ts'
import { benchPlace, startServer } from './server.ts'
import { statements } from './statements.ts'
import { attach, terminals } from './terminals.ts'
import { watchers } from './watchers.ts'

const root = mkdtempSync('/tmp/paddock-bench-server-')
const place = benchPlace(root)
try {
  const [full, empty] = [path.join(root, 'full'), path.join(root, 'empty')]
  await seed(full, { agents: 200, jobs: 10_000, events: 1_000_000 })
  const ready = async (data: string): Promise<number> => {
    const server = await startServer(place, data)
    await server.stop('SIGTERM')
    return server.readyMs
  }
  const times = await inTurn(7, { full: () => ready(full), empty: () => ready(empty) })
  const [a, b] = [median(times.full), median(times.empty)]
  show([
    {
      name: 'ready with 200 agents, 10,000 jobs, 1,000,000 events',
      value: `${a.toFixed(0)} ms, with none ${b.toFixed(0)} ms: ${(a / b).toFixed(2)}`,
      bar: 'at most 2 times',
      met: a / b <= 2,
    },
  ])
  show(await statements(full))
  const server = await startServer(place, full)
  show(await reads(server))
  show(await processor(server))
  show(await watchers(server, { count: 500, jobs: 100 }))
  show(await busy(place, server, full, { jobs: 10, files: 20_000 }))
  const browser = await startBrowser()
  try {
    show(await fleetPage(place, server, full, browser, { perSecond: 20, seconds: 20 }))
    await server.stop('SIGTERM')
    show(await longJob(place, browser, { events: 50_000 }))
  } finally {
    await browser.close()
  }
  show(await processes(place, { roles: 10, files: 2_000 }))
  show(await attach(place, { times: 9 }))
  show(await terminals(place, { count: 50, viewers: 500, slow: 50, rows: 25_000 }))
  show(await memory(place, { cells: 6, jobs: 1000 }))
  show(await lives(place, { jobs: 1000, kills: 20 }))
} finally {
  rmSync(root, { recursive: true, force: true })
}
