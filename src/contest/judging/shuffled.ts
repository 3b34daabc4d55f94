import { randomInt } from 'node:crypto'

/** Returns a new list in an unpredictable order (Fisher–Yates with a cryptographic source). */
export function shuffled<T>(list: readonly T[]): T[] {
  const result = [...list]
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    const held = result[last] as T
    result[last] = result[other] as T
    result[other] = held
  }
  return result
}
