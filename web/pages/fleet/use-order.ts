import { useMemo, useState } from 'react'
import type { Doing } from './activity-text.ts'
import { columns, type Sorting, sorted } from './sorting.ts'

/** Returns the rows in a stable order. They change in place, and are sorted again only on request or for another column. */
export function useOrder(agents: readonly Doing[], sorting: Sorting) {
  const { by, isDescending } = sorting
  const settle = () => ({ by, isDescending, rows: sorted(agents, sorting).map((each) => [each.id, columns[by].of(each)] as const) })
  const [before, setSettled] = useState(settle)
  let settled = before
  if (before.by !== by || before.isDescending !== isDescending) {
    settled = settle()
    setSettled(settled)
  }
  const { rows, changed } = useMemo(() => {
    const places = new Map(settled.rows.map(([id, value], n) => [id, { n, value }]))
    const last = settled.rows.length
    return {
      rows: [...agents].sort((one, other) => (places.get(one.id)?.n ?? last) - (places.get(other.id)?.n ?? last)),
      changed: agents.filter((each) => places.get(each.id)?.value !== columns[settled.by].of(each)).length,
    }
  }, [agents, settled])
  return { rows, changed, again: () => setSettled(settle()) }
}
