import { useEffect, useState, useSyncExternalStore } from 'react'

/** The result of an action, shown once. Errors are shown next to their cause. */
let toast: { readonly text: string; readonly n: number } | null = null
let n = 0
const watchers = new Set<() => void>()

function set(value: typeof toast): void {
  toast = value
  for (const each of [...watchers]) each()
}

export function say(text: string): void {
  n += 1
  set({ text, n })
}

/** Shows the result of an action for 6 seconds, and for as long as the pointer is over the result. */
export function Toast() {
  const shown = useSyncExternalStore(
    (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    () => toast,
  )
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (shown === null || isHeld) return
    const timer = setTimeout(() => set(null), 6_000)
    return () => clearTimeout(timer)
  }, [shown, isHeld])
  return (
    <div aria-live="polite">
      {shown === null ? null : (
        // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it keeps it, and does no more
        <div className="toast" onMouseEnter={() => setHeld(true)} onMouseLeave={() => setHeld(false)}>
          {shown.text}
          <button className="btn plain sq" type="button" aria-label="Close" onClick={() => set(null)}>
            <i className="i i-x" />
          </button>
        </div>
      )}
    </div>
  )
}
