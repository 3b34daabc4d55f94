import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NumberedNow, tailOf } from '../../../src/server/streams/tail.ts'

/** Items with gaps between their numbers. Counts its reads. */
class Source implements NumberedNow<number> {
  items: number[] = []
  last = 0
  reads = 0
  get first(): number {
    return this.items[0] ?? this.last + 1
  }
  after(n: number, limit: number): readonly number[] {
    this.reads += 1
    return this.items.filter((each) => each > n).slice(0, limit)
  }
  numberOf(item: number): number {
    return item
  }
  onGrowth(): () => void {
    return () => {}
  }
  grow(count: number, step = 1): void {
    for (let added = 0; added < count; added += 1) {
      this.last += step
      this.items.push(this.last)
    }
  }
}

describe('the tail of a source', () => {
  it('answers as the source does, whatever was added or dropped meanwhile', () => {
    const change = fc.record({
      grow: fc.oneof(fc.nat(40), fc.nat(3_000)),
      step: fc.integer({ min: 1, max: 3 }),
      drop: fc.nat(200),
      at: fc.nat(4_000),
    })
    fc.assert(
      fc.property(fc.nat(2_000), fc.array(change, { maxLength: 8 }), (start, changes) => {
        const source = new Source()
        source.grow(start)
        const tail = tailOf(source)
        for (const { grow, step, drop, at } of changes) {
          source.grow(grow, step)
          source.items.splice(0, drop)
          for (const n of [at, source.last, source.last - 10, source.last - 1_000, 0])
            expect(tail.after(n, 64)).toEqual(source.after(n, 64))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('reads the source once for many followers', () => {
    const source = new Source()
    source.grow(100)
    const tail = tailOf(source)
    source.grow(10)
    source.reads = 0
    for (let follower = 0; follower < 500; follower += 1) expect(tail.after(100, 64).length).toBe(10)
    expect(source.reads).toBe(1)
  })
})
