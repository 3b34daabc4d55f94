/** Returns the median of durations in milliseconds. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [below, above] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2
}

/** Measures several things in turn, round by round, so that other load on the machine affects all of them alike. */
export async function inTurn<K extends string>(
  rounds: number,
  what: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(what) as K[]
  const found = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = 0; round < rounds; round++) for (const name of names) found[name].push(await what[name]())
  return found
}

/** Returns the milliseconds that something takes. */
export async function time(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

/** A figure and its limit. */
export interface Figure {
  readonly name: string
  readonly value: string
  readonly bar: string
  readonly met: boolean | null
}

export function show(figures: readonly Figure[]): void {
  for (const { name, value, bar, met } of figures) {
    console.log(`${met === null ? 'not measured' : met ? 'met         ' : 'missed      '}  ${name.padEnd(58)} ${value.padEnd(44)} ${bar}`)
  }
}
