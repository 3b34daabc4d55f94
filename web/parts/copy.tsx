import { say } from './toast.tsx'

/** Copies a text of Paddock. Renders nothing if the page cannot use the clipboard, such as without TLS. */
export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  if (typeof navigator.clipboard === 'undefined') return null
  return (
    <button
      className="btn plain sq"
      type="button"
      aria-label={label}
      title={label}
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => say('Copied'),
          () => say('The browser did not allow copying'),
        )
      }
    >
      <i className="i i-copy" />
    </button>
  )
}
