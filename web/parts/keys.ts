import { useEffect, useRef } from 'react'

export const keysOff = 'paddock.keys-off'

/** Handlers by key name as in events. `g i` is `g` followed by `i`; `Ctrl k` also means the command key on a Mac. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Milliseconds within which the second key of a pair must follow. */
const pairMs = 1_500
let first: { readonly key: string; readonly at: number } | null = null

/** Handles keys while the component is shown. Single keys have no effect in fields, terminals or dialogs, or if they are turned off. */
export function useKeys(keys: Keys, isOn = true): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const withControl = event.ctrlKey || event.metaKey
      if (withControl) return event.key === 'k' || !isTyping(event.target) ? press(`Ctrl ${event.key.toLowerCase()}`, event) : undefined
      if (
        event.altKey ||
        isTyping(event.target) ||
        localStorage.getItem(keysOff) !== null ||
        document.querySelector('dialog[open]') !== null
      )
        return
      // Enter activates the focused element.
      if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.closest('button,a,summary') !== null) return
      const before = first !== null && event.timeStamp - first.at < pairMs ? first.key : null
      if (before !== null && latest.current[`${before} ${event.key}`] !== undefined) {
        first = null
        return press(`${before} ${event.key}`, event)
      }
      if (Object.keys(latest.current).some((each) => each.startsWith(`${event.key} `))) first = { key: event.key, at: event.timeStamp }
      else press(event.key, event)
    }
    const press = (key: string, event: KeyboardEvent): void => {
      const act = latest.current[key]
      if (act === undefined) return
      event.preventDefault()
      act(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox]),textarea,select,.xterm') !== null)
  )
}
