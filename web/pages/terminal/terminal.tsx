import { useEffect, useState } from 'react'
import type { View } from './view.tsx'

/** The code that shows terminals, loaded when the first terminal is opened. */
let loading: Promise<typeof View> | null = null

async function load(): Promise<typeof View> {
  const [{ View: view }] = await Promise.all([import('./view.tsx'), styles()])
  return view
}

function styles(): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = '/terminal.css'
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  link.addEventListener('load', () => resolve())
  link.addEventListener('error', () => {
    link.remove()
    reject(new Error('The style sheet did not load.'))
  })
  document.head.append(link)
  return promise
}

/** A terminal of an agent, as large as its parent element. */
export function Terminal({ session }: { readonly session: string }) {
  const [Shown, setShown] = useState<typeof View | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    loading ??= load()
    loading.then(
      (view) => setShown(() => view),
      () => {
        loading = null
        setFailed(true)
      },
    )
  }, [])
  if (hasFailed)
    return (
      <div className="aside bad" role="alert">
        <i className="i i-fail" />
        <span>The terminal could not be loaded. The server may be unreachable, or have a different version than this page.</span>
        <button className="btn" type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    )
  return Shown === null ? <p className="soft">Loading …</p> : <Shown key={session} session={session} />
}
