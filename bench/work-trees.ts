import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, inTurn, median, time } from './measure.ts'

const bin = fileURLToPath(new URL('../bin/paddock.mjs', import.meta.url))
const rounds = 9
const many = 600
const most = 1.5

/** Measures a cell in a repository with many linked work trees beside it, compared to one with one. */
export async function workTrees(directory: string, env: Record<string, string>): Promise<Figure[]> {
  const [one, all] = [1, many].map((count) => repository(path.join(directory, `with-${count}`), count, env)) as [string, string]
  const run = (cwd: string) => () =>
    time(async () => {
      const { status, stderr } = spawnSync(process.execPath, [bin, 'run', '--quiet', '--egress', 'off', '--', 'true'], { cwd, env })
      if (status !== 0) throw new Error(String(stderr))
    })
  const found = await inTurn(rounds, { one: run(one), all: run(all) })
  const [few, mine] = [median(found.one), median(found.all)]
  for (const each of [one, all]) rmSync(path.dirname(each), { recursive: true })
  return [
    {
      name: `paddock run -- true beside ${many} linked work trees`,
      value: `${mine.toFixed(0)} ms, beside one ${few.toFixed(0)} ms: ${(mine / few).toFixed(2)}`,
      bar: `at most ${most.toFixed(1)} of the time beside one`,
      met: mine / few <= most,
    },
  ]
}

function repository(directory: string, count: number, env: Record<string, string>): string {
  const main = path.join(directory, 'main')
  mkdirSync(main, { recursive: true })
  const git = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@bench.test', ...args], { cwd: main, env })
    if (status !== 0) throw new Error(String(stderr))
  }
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  for (let each = 0; each < count; each++) git('worktree', 'add', '-q', '--detach', `../linked-${each}`)
  return main
}
