import { useState } from 'react'
import type { Blocked } from './terminal-silence.ts'

/** A quiet line over a terminal. */
export interface Line {
  readonly icon: string
  readonly sentence: string
  /** The text that the line is about, which is shown on request. */
  readonly text?: string | null
  readonly isWarning?: boolean
  /** Whether the line disappears by itself. */
  readonly isBrief?: boolean
}

/** The kinds of blocked requests that the user has dismissed in this tab. */
const dismissed = new Set<Blocked['kind']>()

/** Returns the newest blocked request of a program, until it is dismissed. */
export function useBlocked() {
  const [blocked, setBlocked] = useState<Blocked | null>(null)
  return {
    blocked,
    onBlocked: (next: Blocked): void => {
      if (dismissed.has(next.kind)) return
      // The clipboard is more important than titles and notifications.
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
