import { useState } from 'react'
import type { Blocked } from './silence.ts'

/** A quiet line over a terminal. */
export interface Line {
  readonly icon: string
  readonly sentence: string
  /** What it is about, shown on demand. */
  readonly text?: string | null
  readonly isWarning?: boolean
  /** It goes away by itself. */
  readonly isBrief?: boolean
}

/** Kinds that the user wants to hear no more of, in this tab. */
const dismissed = new Set<Blocked['kind']>()

/** What a program asked for in vain: the newest of it, until it is dismissed. */
export function useBlocked() {
  const [blocked, setBlocked] = useState<Blocked | null>(null)
  return {
    blocked,
    onBlocked: (next: Blocked): void => {
      if (dismissed.has(next.kind)) return
      // The clipboard matters more than what is shown nowhere.
      setBlocked((before) => (before?.kind === 'clipboard' && next.kind !== 'clipboard' ? before : next))
    },
    dismiss: (): void => {
      if (blocked !== null) dismissed.add(blocked.kind)
      setBlocked(null)
    },
  }
}

export function Notice({
  line: { icon, sentence, text = null, isWarning = false },
  onShow,
  onDismiss,
}: {
  readonly line: Line
  readonly onShow?: (text: string) => void
  readonly onDismiss: () => void
}) {
  return (
    <div className={isWarning ? 'banner' : 'banner run'}>
      <i className={`i i-${icon}`} />
      <span className="grow">{sentence}</span>
      {text === null || text === '' ? null : (
        <button className="btn" type="button" onClick={() => onShow?.(text)}>
          Show
        </button>
      )}
      <button className="btn plain" type="button" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  )
}
