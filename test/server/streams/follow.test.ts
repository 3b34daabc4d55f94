import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follow } from '../../../src/server/streams/follow-log.ts'
import type { Numbered } from '../../../src/server/streams/numbered.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A source that a test grows, prunes and ends. Reading it takes a turn of the event loop, like reading a file. */
class Source implements Numbered<number> {
  first = 1
  last = 0
  ended = false
  readonly listeners = new Set<() => void>()
  async after(n: number, limit: number): Promise<readonly number[]> {
    const from = Math.max(n + 1, this.first)
    const items = Array.from({ length: Math.max(0, Math.min(limit, this.last - from + 1)) }, (_, index) => from + index)
    // Items added or dropped meanwhile make no difference.
    await turn()
    return items
  }
  numberOf(item: number): number {
    return item
  }
  onGrowth(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  grow(by: number): void {
    this.last += by
    for (const each of this.listeners) each()
  }
  prune(by: number): void {
    this.first = Math.min(this.first + by, this.last + 1)
  }
  end(): void {
    this.ended = true
    this.grow(0)
  }
}

/** Returns the steps that a reader gets after a number: items, or the numbers that it was reset to. */
async function read(source: Source, after: number, most = Number.POSITIVE_INFINITY): Promise<(number | { readonly reset: number })[]> {
  const got: (number | { readonly reset: number })[] = []
  for await (const step of follow(source, after, new AbortController().signal)) {
    got.push(...(step.kind === 'items' ? step.items : [{ reset: step.position }]))
    if (got.length >= most) break
  }
  return got
}

describe('a follower', () => {
  it('that is cut off at any place and resumes gets each item once and in order, while the source grows', async () => {
    const growth = fc.array(fc.nat(150), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(growth, fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 6 }), async (grown, cuts) => {
        const source = new Source()
        const growing = (async () => {
          for (const by of grown) {
            source.grow(by)
            // Some growth is followed by more growth, or by the end, before anything is read.
            if (by % 2 === 0) await turn()
          }
          source.end()
        })()
        const got: number[] = []
        for (const most of [...cuts, Number.POSITIVE_INFINITY]) {
          const some = await read(source, got.at(-1) ?? 0, most)
          // A reader that is cut off may lose the end of the data in transit.
          const arrived = Number.isFinite(most) ? some.slice(0, most) : some
          got.push(...(arrived as number[]))
        }
        await growing
        expect(got).toEqual(Array.from({ length: source.last }, (_, index) => index + 1))
        expect(source.listeners.size).toBe(0)
      }),
      { numRuns: 60 },
    )
  })

  it('is reset exactly where items were dropped before it got them, and then goes on without a gap', async () => {
    const steps = fc.array(fc.record({ grow: fc.nat(150), prune: fc.nat(120) }), { maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(60), async (changes, after) => {
        const source = new Source()
        source.grow(50)
        const changing = (async () => {
          for (const { grow, prune } of changes) {
            source.grow(grow)
            source.prune(prune)
            await turn()
          }
          source.end()
        })()
        const before = source.last
        const got = await read(source, after)
        await changing
        let position = after
        for (const each of got) {
          if (typeof each === 'number') expect(each).toBe(position + 1)
          else if (position <= 50) expect(each.reset).not.toBe(position)
          position = typeof each === 'number' ? each : each.reset
        }
        expect(position).toBe(source.last)
        // The first change was made before the reader started.
        if (changes.every(({ prune }) => prune === 0))
          expect(got.filter((each) => typeof each !== 'number').length).toBe(after > before ? 1 : 0)
      }),
      { numRuns: 60 },
    )
  })

  it('gets what was added, and then ended, while it was reading', async () => {
    const source = new Source()
    const reading = read(source, 0)
    await Promise.resolve()
    source.grow(5)
    source.end()
    expect(await reading).toEqual([1, 2, 3, 4, 5])
  })

  it('stops when its signal is aborted, also while it waits', async () => {
    const source = new Source()
    source.grow(3)
    const controller = new AbortController()
    const got: number[] = []
    for await (const step of follow(source, 0, controller.signal)) {
      if (step.kind === 'items') got.push(...step.items)
      setImmediate(() => controller.abort())
    }
    expect(got).toEqual([1, 2, 3])
    expect(source.listeners.size).toBe(0)
  })
})
