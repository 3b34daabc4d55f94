import { useSyncExternalStore } from 'react'

function watch(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  addEventListener('popstate', changed)
  return () => {
    removeEventListener('hashchange', changed)
    removeEventListener('popstate', changed)
  }
}

/** Returns the part of the URL after the #, such as the open tab. */
export const useFragment = (): string => useSyncExternalStore(watch, () => location.hash.slice(1))
