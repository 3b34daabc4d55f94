import { useEffect, useState, useSyncExternalStore } from 'react'

/** The result of an action, shown once; errors are shown next to their cause. */
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

/** Stays for 6 seconds, and while the pointer is over it. */
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
