import * as z from 'zod'

/** The id of anything at Discord: a number of 64 bits (discord.com/developers/docs/reference#snowflakes). */
export const snowflake = z.string().regex(/^[1-9]\d{16,19}$/, { error: 'must be an id of Discord: 17 to 20 digits' })

/** Milliseconds since the epoch at which Discord gave an id. */
export function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + 1_420_070_400_000
}

/** The least id that is given at a time. */
export function idAt(ms: number): string {
  return String(BigInt(Math.max(0, Math.trunc(ms) - 1_420_070_400_000)) << 22n)
}

/** Compares two ids by their age, the older one first. */
export function byAge(one: string, other: string): number {
  const [first, second] = [BigInt(one), BigInt(other)]
  return first < second ? -1 : first > second ? 1 : 0
}
