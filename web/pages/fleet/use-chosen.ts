import { useCallback, useState } from 'react'

/** The ids of the agents that are selected. */
export function useChosen() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  /** Selects one, or does not any more. */
  const turn = useCallback((id: string): void => {
    setIds((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const drop = (dropped: readonly string[]): void => setIds((before) => new Set([...before].filter((id) => !dropped.includes(id))))
  return { ids, turn, drop }
}
