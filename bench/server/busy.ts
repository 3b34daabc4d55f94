import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Figure } from '../measure.ts'
import { ask, type BenchPlace, type BenchServer, endHosts } from './server.ts'

/** Makes a tree with this many small files. */
function tree(root: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const directory = path.join(root, `d${index % 200}`)
    if (index < 200) mkdirSync(directory, { recursive: true })
    writeFileSync(path.join(directory, `f${index}`), 'x')
  }
}

/** Measures how long the server's event loop is blocked while cells start on large projects and others relay as fast as they can. */
export async function busy(
  { root }: BenchPlace,
  server: BenchServer,
  data: string,
  { jobs, files }: { jobs: number; files: number },
): Promise<Figure[]> {
  const projects = Array.from({ length: jobs }, (_, index) => path.join(root, 'projects', `p${index}`))
  tree(projects[0] ?? '', files)
  for (const each of projects.slice(1)) cpSync(projects[0] ?? '', each, { recursive: true })
  // Copying blocked this process for seconds. Let it notice which connections the server closed meanwhile.
  await setTimeout(100)
  const block = Buffer.alloc(1024 * 1024)
  const source = createServer((_, response) => {
    const more = (): void => {
      while (response.write(block));
    }
    response.on('drain', more)
    more()
  })
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  const { port } = source.address() as { port: number }
  const give = (agent: string) => ask<{ id: string }>(server, 'POST', '/jobs', { agent, prompt: 'x' })
  const relays = Array.from({ length: jobs }, (_, index) => `relay-${index}`)
  for (const name of relays)
    await ask(server, 'POST', '/agents', {
      manifest: {
        name,
        agent: 'command',
        command: [
          'sh',
          '-c',
          `timeout 20 perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("relay.example:${port}") or die; print $s "GET / HTTP/1.1\\r\\nhost: relay.example\\r\\n\\r\\n"; while (sysread($s, $b, 1 << 20)) { $n += length $b } print "$n\\n"'; true`,
        ],
        egress: { policy: 'allowlist', allow: [`relay.example:${port}=127.0.0.1:${port}`] },
      },
    })
  for (const [index, project] of projects.entries())
    await ask(server, 'POST', '/agents', {
      manifest: { name: `large-${index}`, agent: 'command', command: ['true'], egress: { policy: 'off' }, workspace: { project } },
    })
  const given = await Promise.all(relays.map(give))
  for (const { id } of given) while ((await ask<{ state: string }>(server, 'GET', `/jobs/${id}`)).state === 'queued') await setTimeout(50)
  await setTimeout(2000)
  await lagP99(server)
  const large = await Promise.all(projects.map((_, index) => give(`large-${index}`)))
  for (const { id } of [...large, ...given])
    for (;;) {
      const { state } = await ask<{ state: string }>(server, 'GET', `/jobs/${id}`)
      if (state === 'done') break
      if (state !== 'running' && state !== 'queued') throw new Error(`${id} is ${state}`)
      await setTimeout(100)
    }
  const delay = await lagP99(server)
  source.closeAllConnections()
  source.close()
  endHosts(data)
  return [
    {
      name: `event-loop delay, p99, ${jobs} jobs on ${files} files, ${jobs} relays`,
      value: `${delay.toFixed(1)} ms`,
      bar: 'under 50 ms',
      met: delay < 50,
    },
  ]
}

/** Returns the 99th percentile of the event loop's lag in milliseconds since the last request. */
async function lagP99(server: BenchServer): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } })
  const found = /^\w*nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(await answer.text())?.[1]
  if (found === undefined) throw new Error('the metrics have no delay of the event loop')
  return Number(found) * 1000
}
