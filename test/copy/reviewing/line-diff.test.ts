import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, type Hunk } from '../../../src/copy/reviewing/line-diff.ts'

/** Applies the hunks to the old lines. */
function patched(old: readonly string[], now: readonly string[], hunks: readonly Hunk[]): string[] {
  const out: string[] = []
  let at = 0
  for (const each of hunks) {
    out.push(...old.slice(at, each.old[0]), ...now.slice(...each.new))
    at = each.old[1]
  }
  return [...out, ...old.slice(at)]
}

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })

describe('the difference of two texts', () => {
  it('is in order, and makes the new lines out of the old', () => {
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const hunks = diffLines(old, now)
        let at = -1
        for (const each of hunks) {
          expect(each.old[0]).toBeGreaterThan(at)
          expect(each.old[1] + each.new[1]).toBeGreaterThan(each.old[0] + each.new[0])
          at = each.old[1]
        }
        expect(patched(old, now, hunks)).toEqual(now)
      }),
      { numRuns: 2000 },
    )
  })

  it('is as short as the longest common subsequence allows', () => {
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const size = diffLines(old, now).reduce((sum, each) => sum + each.old[1] - each.old[0] + each.new[1] - each.new[0], 0)
        expect(size).toBe(old.length + now.length - 2 * common(old, now))
      }),
      { numRuns: 500 },
    )
  })

  it('is bounded where everything differs', () => {
    const old = Array.from({ length: 20_000 }, (_, index) => `old ${index}`)
    const now = Array.from({ length: 20_000 }, (_, index) => `new ${index}`)
    expect(diffLines(old, now)).toEqual([{ old: [0, 20_000], new: [0, 20_000] }])
  })
})

function common(a: readonly string[], b: readonly string[]): number {
  let last = new Array<number>(b.length + 1).fill(0)
  for (const each of a) {
    const row = [0]
    for (let at = 0; at < b.length; at++) row.push(each === b[at] ? (last[at] ?? 0) + 1 : Math.max(last[at + 1] ?? 0, row[at] ?? 0))
    last = row
  }
  return last[b.length] ?? 0
}
