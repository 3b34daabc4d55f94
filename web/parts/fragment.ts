import { useSyncExternalStore } from 'react'

function watch(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  addEventListener('popstate', changed)
  return () => {
    removeEventListener('hashchange', changed)
    removeEventListener('popstate', changed)
  }
}

/** What is behind the # of the address, such as the tab that is open. */
export const useFragment = (): string => useSyncExternalStore(watch, () => location.hash.slice(1))
