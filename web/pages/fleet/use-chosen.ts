import { useCallback, useState } from 'react'

/** Returns the ids of the selected agents. */
export function useChosen() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  /** Selects or deselects an agent. */
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
