import { short, usd } from '../../parts/shown-text.ts'

export const amountOf = (unit: string, value: number): string => (unit === 'usd' ? usd(value) : short(value))

/** Returns a value rounded up to 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((each) => each * power >= value) ?? 10) * power
}
