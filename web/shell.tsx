import type { ReactNode } from 'react'
import { useIsLive } from './live.ts'
import { go, Link } from './parts.tsx'
import { signOut } from './session.ts'

const places = [
  ['inbox', 'Inbox'],
  ['fleet', 'Fleet'],
  ['jobs', 'Jobs'],
] as const

/** What is around every view: where one can go, and whether what is shown is true now. */
export function Shell({ place, children }: { readonly place: string; readonly children: ReactNode }) {
  const links = places.map(([name, title]) => (
    <Link key={name} to={`/${name}`} current={place === name}>
      <i className={`i i-${name}`} />
      {title}
    </Link>
  ))
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="app">
        <aside className="side">
          <Link className="brand" to="/fleet">
            <i className="i i-fence" />
            Paddock
          </Link>
          <nav className="nav" aria-label="Work">
            {links}
          </nav>
          <div className="foot">
            <Connection />
            <button className="btn plain" type="button" onClick={() => void signOut().then(() => go('/login'))}>
              Sign out
            </button>
          </div>
        </aside>
        <div>
          <header className="top">
            <h1>{places.find(([name]) => name === place)?.[1] ?? 'Fleet'}</h1>
            <span className="phone end">
              <Connection />
            </span>
          </header>
          <main id="main">{children}</main>
        </div>
        <nav className="dock" aria-label="Main">
          {links}
        </nav>
      </div>
    </>
  )
}

function Connection() {
  const isLive = useIsLive()
  const [look, icon, word] =
    isLive === null ? ['sync', 'sync', 'Connecting …'] : isLive ? ['', 'live', 'Live'] : ['off', 'off', 'Not connected']
  return (
    <span className={`conn ${look}`} role="status">
      <i className={`i i-${icon}`} />
      <b>{word}</b>
    </span>
  )
}
