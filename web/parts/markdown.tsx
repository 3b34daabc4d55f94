import { type ReactNode, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { Dialog } from './dialog.tsx'
import { visible } from './visible.ts'

/** Replacements for elements: headings would look like the page's, pictures would be requests, and links ask first. */
const parts: Components = {
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((each) => [each, Strong])),
  a: ({ href, children }) => <OutLink href={href ?? ''}>{children}</OutLink>,
  img: ({ alt, src }) => <span>[{`${alt ?? 'picture'}: ${typeof src === 'string' ? src : ''}`}]</span>,
  input: () => null,
}

function Strong({ children }: { readonly children?: ReactNode }) {
  return (
    <p>
      <b>{children}</b>
    </p>
  )
}

/** Markdown from an agent. HTML in it is shown as text. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <bdi className="prose">
      <ReactMarkdown components={parts}>{visible(text)}</ReactMarkdown>
    </bdi>
  )
}

/** A link in an agent's text. It shows its target, and asks before it opens. */
function OutLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const [isAsking, setAsking] = useState(false)
  const url = URL.canParse(href) ? new URL(href) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return <span>{children}</span>
  return (
    <>
      <button className="link" type="button" onClick={() => setAsking(true)}>
        {children}
      </button>{' '}
      <span className="soft small">({url.host})</span>
      {isAsking ? (
        <Dialog label="Open a link" onClose={() => setAsking(false)}>
          <div className="pad stack">
            <h2>Open {url.host}?</h2>
            <p>An agent wrote this link. It opens in a new tab:</p>
            <pre className="asked">{url.href}</pre>
            <p className="row">
              <button className="btn" type="button" autoFocus onClick={() => setAsking(false)}>
                Cancel
              </button>
              <a className="btn end" href={url.href} target="_blank" rel="noopener noreferrer" onClick={() => setAsking(false)}>
                Open {url.host}
              </a>
            </p>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
