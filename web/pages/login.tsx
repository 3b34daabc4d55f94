import { useEffect, useState } from 'react'
import { isSignedIn, signIn } from '../page-session.ts'
import { go } from '../parts/page-address.ts'
import { TokenForm } from './token-form.tsx'

/** Returns the code of a login link and removes it from the URL first, to keep it out of the history. */
function codeInAddress(): string | null {
  const code = location.hash.slice(1)
  if (location.pathname !== '/login' || code === '') return null
  history.replaceState(null, '', '/login')
  return code
}
const code = codeInAddress()
/** The pending exchange of a code. A code works only once, but effects run twice during development. */
let redeeming: Promise<string | null> | null = null

export function Login({ onIn }: { readonly onIn: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isTrying, setTrying] = useState(code !== null)
  useEffect(() => {
    if (code === null || redeeming !== null) return
    redeeming = signIn({ code })
    void redeeming
      .catch((error: Error) => error.message)
      .then((found) => {
        setTrying(false)
        setProblem(found)
        if (found !== null) return
        go('/fleet')
        onIn()
      })
  }, [onIn])
  return (
    <main className="signin">
      <div className="stack lg">
        <div className="brand">
          <i className="i i-fence" />
          Paddock
        </div>
        <section className="card pad stack">
          <h1>Sign in</h1>
          {isTrying ? <p role="status">The link is being checked …</p> : null}
          {problem !== null ? (
            <p className="aside bad" role="alert">
              <i className="i i-fail" />
              <span>{problem}</span>
            </p>
          ) : null}
          <p>To get a sign-in link, run on the server’s machine:</p>
          <pre className="cmd">paddock open</pre>
          <p className="soft small">A link works once, within five minutes.</p>
          {isSignedIn() ? (
            <button className="btn" type="button" onClick={() => go('/fleet')}>
              You are signed in. Go to the fleet
            </button>
          ) : null}
        </section>
        <TokenForm
          onIn={() => {
            go('/fleet')
            onIn()
          }}
        />
        <p className="soft small">
          {location.host}
          {location.protocol === 'https:' ? ' · TLS' : ''}
        </p>
      </div>
    </main>
  )
}
