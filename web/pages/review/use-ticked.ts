import { useState } from 'react'
import { type Change, isPlain } from './review-changes.ts'

/** Returns the changes to apply: at first those without marks. */
export function useTicked(changes: readonly Change[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string> | null>(null)
  const chosen = ticked ?? new Set(changes.filter(isPlain).map(({ path }) => path))
  return {
    chosen,
    tick(path: string): void {
      const change = changes.find((each) => each.path === path)
      if (change === undefined || change.baseMoved) return
      const next = new Set(chosen)
      if (!next.delete(path)) next.add(path)
      setTicked(next)
    },
    reset: () => setTicked(null),
  }
}
