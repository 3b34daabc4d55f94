import type { Doing } from './activity-text.ts'
import { states } from './agent-filter.ts'

/** The columns to sort by. `isLargestFirst`: the first click puts the largest value on top. */
export const columns = {
  state: { title: 'State', of: ({ state }: Doing): number => states.indexOf(state), isLargestFirst: false },
  agent: { title: 'Agent', of: ({ name }: Doing): string => name, isLargestFirst: false },
  queue: { title: 'Queue', of: ({ queued }: Doing): number => queued, isLargestFirst: true },
  today: { title: 'Today', of: ({ spentUsd }: Doing): number => spentUsd, isLargestFirst: true },
} as const
export type Column = keyof typeof columns

export interface Sorting {
  readonly by: Column
  /** Whether the largest value is on top. */
  readonly isDescending: boolean
}

/** Returns the sorting in a URL: `queue`, or `-queue` for the reverse. An invalid value means sorting by state. */
export function sortingOf(text: string): Sorting {
  const name = text.replace(/^-/, '')
  const by = Object.hasOwn(columns, name) ? (name as Column) : 'state'
  return { by, isDescending: columns[by].isLargestFirst !== text.startsWith('-') }
}

/** Returns the sorting for the URL after a click on the head of a column. */
export function pressed(column: Column, { by, isDescending }: Sorting): string {
  return column === by && isDescending === columns[column].isLargestFirst ? `-${column}` : column
}

export function sorted(agents: readonly Doing[], { by, isDescending }: Sorting): readonly Doing[] {
  const { of } = columns[by]
  const compare = (one: Doing, other: Doing): number => {
    const [a, b] = [of(one), of(other)]
    return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
  }
  return [...agents].sort((one, other) => (isDescending ? -1 : 1) * compare(one, other) || one.name.localeCompare(other.name))
}
