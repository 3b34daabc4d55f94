import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { setUp } from '../../src/setup/set-up.ts'
import { wishOf } from '../../src/setup/wish.ts'
import { openBench } from '../support/contest-bench.ts'

const script = 'if grep -q bad lock; then exit 1; fi; mkdir deps; cat lock /proc/sys/kernel/random/uuid > deps/made'
const wish = wishOf({ command: ['sh', '-c', script], keep: ['deps'], files: ['lock'] }, (key) => key)

async function open() {
  const bench = await openBench()
  const events: string[] = []
  const tree = (name: string, lock: string): string => {
    const directory = path.join(bench.root, 'trees', name)
    mkdirSync(directory, { recursive: true })
    writeFileSync(path.join(directory, 'lock'), lock)
    return directory
  }
  const given = async (directory: string): Promise<string> => {
    const signal = new AbortController().signal
    const audit = ({ kind }: { kind: string }): void => void events.push(kind)
    await setUp(wish, { directory, at: '/mnt/project' }, { host: bench.deps, audit, say: () => undefined, signal })
    return readFileSync(path.join(directory, 'deps/made'), 'utf8')
  }
  const results = path.join(bench.root, 'cache/setup/results')
  return { bench, events, tree, given, results, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() }
}

test('setups of many trees at once do not disturb each other, and each result is made once', async () => {
  await using at = await open()
  const locks = ['one', 'two', 'bad', 'three']
  const all = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const lock = locks[index % locks.length] ?? ''
      const made = await at.given(at.tree(String(index), lock)).catch((error: Error) => error.message)
      return { lock, made }
    }),
  )
  for (const lock of locks) {
    const made = all.filter((each) => each.lock === lock).map((each) => each.made)
    expect(new Set(made).size, lock).toBe(1)
    expect(made[0]).toMatch(lock === 'bad' ? /exited with code 1/ : new RegExp(`^${lock}`))
  }
  expect(at.events.filter((each) => each === 'setup.made')).toHaveLength(3)
  expect(readdirSync(at.results)).toHaveLength(3)
})

test('a result that was not used for 30 days is removed when another one is made', async () => {
  await using at = await open()
  const first = await at.given(at.tree('a', 'one'))
  await at.given(at.tree('b', 'two'))
  const age = (days: number): void => {
    const then = new Date(Date.now() - days * 24 * 60 * 60_000)
    for (const each of readdirSync(at.results)) utimesSync(path.join(at.results, each), then, then)
  }
  age(31)
  // A use keeps a result.
  expect(await at.given(at.tree('c', 'one'))).toBe(first)
  await at.given(at.tree('d', 'three'))
  expect(readdirSync(at.results)).toHaveLength(2)
  expect(await at.given(at.tree('e', 'one'))).toBe(first)
  age(29)
  await at.given(at.tree('f', 'four'))
  expect(readdirSync(at.results)).toHaveLength(3)
})
