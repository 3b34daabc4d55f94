import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

export const go = (to: string): void => navigate(to)

/** Returns a parameter of the URL, such as a filter; `fallback` is omitted from it. Changes replace the URL, so Back leaves the page. */
export function useParameter(name: string, fallback = ''): readonly [value: string, set: (value: string) => void] {
  const [all, setAll] = useSearchParams()
  const set = useCallback(
    (value: string) =>
      setAll(
        (before) => {
          const next = new URLSearchParams(before)
          if (value === fallback) next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: true },
      ),
    [setAll, name, fallback],
  )
  return [all.get(name) ?? fallback, set]
}
