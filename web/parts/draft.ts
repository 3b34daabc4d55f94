import { useCallback, useState } from 'react'

/** A draft that survives a reload, signing out, and a new version of the page. */
export function useDraft(name: string): readonly [text: string, set: (text: string) => void, forget: () => void] {
  const key = `paddock.draft ${name}`
  const [kept, setKept] = useState({ key, text: localStorage.getItem(key) ?? '' })
  const text = kept.key === key ? kept.text : (localStorage.getItem(key) ?? '')
  const set = useCallback(
    (value: string) => {
      setKept({ key, text: value })
      if (value === '') localStorage.removeItem(key)
      else localStorage.setItem(key, value.slice(0, 100_000))
    },
    [key],
  )
  return [text, set, useCallback(() => set(''), [set])]
}
