import * as z from 'zod'

/** A Discord id, which is a 64-bit number (discord.com/developers/docs/reference#snowflakes). */
export const snowflake = z.string().regex(/^[1-9]\d{16,19}$/, { error: 'must be an id of Discord: 17 to 20 digits' })

/** Returns when Discord created an id, in milliseconds since the epoch. */
export function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + 1_420_070_400_000
}

/** Returns the smallest id of a given time. */
export function idAt(ms: number): string {
  return String(BigInt(Math.max(0, Math.trunc(ms) - 1_420_070_400_000)) << 22n)
}

/** Compares two ids by age, the older one first. */
export function byAge(one: string, other: string): number {
  const [first, second] = [BigInt(one), BigInt(other)]
  return first < second ? -1 : first > second ? 1 : 0
}
