import { type ReactNode, useEffect, useRef } from 'react'

/** A dialog of the browser, which keeps the focus within it and restores it. Esc and a click outside close the dialog. */
export function Dialog({
  label,
  onClose,
  children,
  wide = false,
}: {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    if (current !== null && !current.open) current.showModal()
    return () => current?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the key
    <dialog
      ref={dialog}
      className={`dialog${wide ? ' wide' : ''}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

/** Asks before something is lost. The safe choice comes first, and has the focus. */
export function Confirm({
  title,
  children,
  act,
  keep = 'Cancel',
  isSending = false,
  onAct,
  onClose,
}: {
  readonly title: string
  /** A description of what will be lost, in numbers. */
  readonly children: ReactNode
  /** The label of the button: a verb with its object. */
  readonly act: string
  /** The label of the safe button, if Cancel would be ambiguous. */
  readonly keep?: string
  readonly isSending?: boolean
  readonly onAct: () => void
  readonly onClose: () => void
}) {
  return (
    <Dialog label={title} onClose={onClose}>
      <div className="pad stack">
        <h2>{title}</h2>
        <div>{children}</div>
        <p className="row">
          <button className="btn" type="button" autoFocus onClick={onClose}>
            {keep}
          </button>
          <button className="btn bad main end" type="button" disabled={isSending} onClick={onAct}>
            {act}
          </button>
        </p>
      </div>
    </Dialog>
  )
}
