import { broken, type Finding } from '../guarantee.ts'

/** The results of attempts, by a short description of each: `ok` or the code of an error. */
export type Outcomes = Readonly<Record<string, string>>

/** Returns text such as `3 × EROFS, 1 × EXDEV`. */
export function countOutcomes(tried: Outcomes): string {
  const counts = new Map<string, number>()
  for (const each of Object.values(tried)) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
}

/** Returns `broken` if any outcome is not one of these or nothing was tried; otherwise null. */
export function unlessAll(tried: Outcomes, expected: readonly string[]): Finding | null {
  const odd = Object.entries(tried).filter(([, outcome]) => !expected.includes(outcome))
  if (Object.keys(tried).length === 0) return broken('nothing was tried')
  if (odd.length === 0) return null
  return broken(
    `not refused: ${odd
      .slice(0, 12)
      .map(([what, outcome]) => `${what} (${outcome})`)
      .join(', ')}${odd.length > 12 ? ` and ${odd.length - 12} more` : ''}`,
  )
}
