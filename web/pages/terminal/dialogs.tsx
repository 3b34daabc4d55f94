import { type ReactNode, useEffect, useRef } from 'react'

/** A dialog of the browser, which keeps the focus and restores it. Escape closes it. */
export function Dialog({
  title,
  children,
  onClose,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = ref
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog className="dialog ask-first" ref={ref} aria-label={title} onClose={onClose}>
      <div className="pad stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Asks before a link from a program is opened. */
export function LinkDialog({ url, onClose }: { readonly url: URL; readonly onClose: () => void }) {
  const open = (): void => {
    window.open(url.href, '_blank', 'noopener,noreferrer')
    onClose()
  }
  return (
    <Dialog title="Open this link?" onClose={onClose}>
      <p>
        The program shows a link to <b className="mono host">{url.host}</b>. It opens in a new tab.
      </p>
      {url.username === '' && url.password === '' ? null : (
        <p className="aside bad">
          <i className="i i-fail" />
          <span>The address has a user name in front of the host, which is often meant to deceive.</span>
        </p>
      )}
      <pre className="cmd whole">{url.href}</pre>
      <div className="row">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button className="btn main" type="button" onClick={open}>
          Open {url.host.length > 40 ? 'the link' : url.host}
        </button>
      </div>
    </Dialog>
  )
}

/** Asks before a terminal is ended. */
export function EndDialog({
  agent,
  command,
  others,
  problem,
  isSending,
  onEnd,
  onClose,
}: {
  readonly agent: string
  readonly command: string
  readonly others: number
  readonly problem: string | null
  readonly isSending: boolean
  readonly onEnd: () => void
  readonly onClose: () => void
}) {
  return (
    <Dialog title={`End this terminal of ${agent}?`} onClose={onClose}>
      <p>
        {command === '' ? 'Its program' : <code>{command}</code>} and every process that it started are stopped, and the screen with the
        lines above it is lost. Files in the workspace are kept.
      </p>
      {others === 0 ? null : <p>{others === 1 ? '1 other viewer is watching' : `${others} other viewers are watching`} it now.</p>}
      {problem === null ? null : (
        <p className="aside bad" role="alert">
          <i className="i i-fail" />
          <span>{problem}</span>
        </p>
      )}
      <div className="row">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button className="btn bad main" type="button" disabled={isSending} onClick={onEnd}>
          {isSending ? 'Ending …' : 'End terminal'}
        </button>
      </div>
    </Dialog>
  )
}

/** Shows a text that a program tried to set. */
export function TextDialog({
  sentence,
  text,
  onClose,
}: {
  readonly sentence?: string
  readonly text: string
  readonly onClose: () => void
}) {
  return (
    <Dialog title="What the program sent" onClose={onClose}>
      {sentence === undefined ? null : <p>{sentence}</p>}
      <pre className="cmd whole">{visible(text)}</pre>
      <div className="row">
        <button className="btn" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

/** Returns a text in which invisible characters are escaped. */
function visible(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`)
}
