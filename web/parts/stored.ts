import { useSyncExternalStore } from 'react'

const changes = new Set<() => void>()

function watch(changed: () => void): () => void {
  changes.add(changed)
  addEventListener('storage', changed)
  return () => {
    changes.delete(changed)
    removeEventListener('storage', changed)
  }
}

/** Returns a value that is stored in this browser and shared with its other tabs; null if there is none. */
export function useStored(key: string): readonly [value: string | null, set: (value: string | null) => void] {
  const value = useSyncExternalStore(watch, () => localStorage.getItem(key))
  const set = (next: string | null): void => {
    if (next === null) localStorage.removeItem(key)
    else localStorage.setItem(key, next)
    for (const each of [...changes]) each()
  }
  return [value, set]
}
