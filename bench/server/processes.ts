import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { evenJudge } from '../../test/support/contest-bench.ts'
import { type Figure, median } from '../measure.ts'
import { ask, type BenchPlace, endHosts, startServer } from './server.ts'

/** Measures how many processes of its own a server starts to answer a request, and how long the answer takes. */
export async function processes(place: BenchPlace, { roles, files }: { roles: number; files: number }): Promise<Figure[]> {
  const data = path.join(place.root, 'processes')
  const starts = path.join(place.root, 'starts.txt')
  const hook = path.join(place.root, 'starts.mjs')
  writeFileSync(starts, '')
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) appendFileSync(${JSON.stringify(starts)}, process.argv.join(' ') + '\\n')`,
  )
  const server = await startServer({ ...place, env: { ...place.env, NODE_OPTIONS: `--import=${hook}` } }, data)
  const started = (): number => readFileSync(starts, 'utf8').split('\n').length
  const figure = async (name: string, most: number, times: number, act: () => Promise<unknown>): Promise<Figure> => {
    const before = started()
    const taken: number[] = []
    for (let n = 0; n < times; n += 1) {
      const began = performance.now()
      await act()
      taken.push(performance.now() - began)
    }
    const count = (started() - before) / times
    const bar = most === 1 ? 'at most 1 process' : 'no process'
    return { name, value: `${count} processes, ${median(taken).toFixed(1)} ms`, bar, met: count <= most }
  }
  const ended = async <T extends { state: string }>(route: string): Promise<T> => {
    for (;;) {
      const found = await ask<T>(server, 'GET', route)
      if (found.state === 'done') return found
      if (found.state === 'failed') throw new Error(`${route} failed`)
      await setTimeout(200)
    }
  }
  const figures: Figure[] = [await figure('the inbox', 0, 50, () => ask(server, 'GET', '/inbox'))]

  const project = path.join(place.root, 'projects/applied')
  mkdirSync(project)
  for (let n = 0; n < files; n += 1) writeFileSync(path.join(project, `f${n}`), 'x')
  const command = ['sh', '-c', 'for n in 1 2 3 4 5 6; do echo new > new-$n; done']
  const manifest = { name: 'writes', agent: 'command', command, egress: { policy: 'off' }, workspace: { copy: project } }
  await ask(server, 'POST', '/agents', { manifest })
  const { id } = await ask<{ id: string }>(server, 'POST', '/jobs', { agent: 'writes', prompt: 'x' })
  await ended(`/jobs/${id}`)
  let next = 1
  const apply = () => ask(server, 'POST', `/jobs/${id}/apply`, { paths: [`new-${next++}`] })
  figures.push(await figure(`a file of a job applied to ${files} files`, 1, 5, apply))

  const directory = path.join(place.root, 'contests/large')
  mkdirSync(directory, { recursive: true })
  const shell = (name: string, line: string) => ({ name, agent: 'command', command: ['sh', '-c', line] })
  const named = (kind: string, line: string) => Array.from({ length: roles }, (_, n) => shell(`${kind}-${n}`, line))
  const contest = {
    schemaVersion: 1,
    name: 'large',
    participants: named('participant', 'echo 1 > answer'),
    judges: named('judge', evenJudge(5)),
    rubric: { scale: { min: 0, max: 5 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
  }
  writeFileSync(path.join(directory, 'contest.yaml'), JSON.stringify(contest))
  writeFileSync(path.join(directory, 'BRIEF.md'), 'Write answer.\n')
  const run = await ask<{ id: string }>(server, 'POST', '/contests', { directory })
  await ended(`/contests/${run.id}`)
  const page = async (): Promise<void> => {
    const texts = ['', '/report', '/report.html'].map((each) =>
      fetch(`${server.url}/api/v1/contests/${run.id}${each}`, { headers: { authorization: `Bearer ${server.token}` } }),
    )
    for (const each of await Promise.all(texts)) if (!each.ok || (await each.text()) === '') throw new Error(`${each.url}: ${each.status}`)
  }
  figures.push(await figure(`a contest that has ended, ${roles} participants, ${roles} judges`, 0, 20, page))
  await server.stop('SIGTERM')
  endHosts(data)
  return figures
}
