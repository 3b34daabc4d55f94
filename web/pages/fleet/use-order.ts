import { useMemo, useState } from 'react'
import { inOrder } from './filter.ts'
import type { Doing } from './use-fleet.ts'

/** Rows change in place. Who comes first is settled once, and again when somebody asks. */
export function useOrder(agents: readonly Doing[]) {
  const [settled, setSettled] = useState<readonly (readonly [id: string, state: string])[]>(() =>
    inOrder(agents).map(({ id, state }) => [id, state]),
  )
  return useMemo(() => {
    const places = new Map(settled.map(([id, state], n) => [id, { n, state }]))
    const last = settled.length
    const rows = [...agents].sort((one, other) => (places.get(one.id)?.n ?? last) - (places.get(other.id)?.n ?? last))
    const changed = agents.filter(({ id, state }) => places.get(id)?.state !== state).length
    return { rows, changed, again: () => setSettled(inOrder(agents).map(({ id, state }) => [id, state])) }
  }, [agents, settled])
}
