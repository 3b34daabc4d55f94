import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import type { ContestEvent } from '../../src/contest/state/progress.ts'
import type { Bench } from './contest-bench.ts'

/** Runs the contest in another process, and kills it with SIGKILL at the first event that matches. */
export async function killAt(bench: Bench, when: (event: ContestEvent) => boolean): Promise<void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../fixtures/run-contest.ts'), bench.contest, bench.root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (when(JSON.parse(line) as ContestEvent)) {
      child.kill('SIGKILL')
      break
    }
  }
  expect(await gone).toEqual([null, 'SIGKILL'])
}
