import { StrictMode, useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { follow } from './live.ts'
import { Fleet } from './pages/fleet.tsx'
import { Inbox } from './pages/inbox.tsx'
import { Job } from './pages/job.tsx'
import { Jobs } from './pages/jobs.tsx'
import { Login } from './pages/login.tsx'
import { isSignedIn, signedOut } from './session.ts'
import { Shell } from './shell.tsx'

const onMove = (changed: () => void): (() => void) => {
  addEventListener('popstate', changed)
  return () => removeEventListener('popstate', changed)
}

function App() {
  const path = useSyncExternalStore(onMove, () => location.pathname)
  const [isIn, setIn] = useState(isSignedIn)
  useEffect(() => {
    const out = (): void => setIn(false)
    addEventListener(signedOut, out)
    return () => removeEventListener(signedOut, out)
  }, [])
  if (!isIn || path === '/login') return <Login onIn={() => setIn(true)} />
  const job = /^\/jobs\/(j-[0-9a-z]+)$/.exec(path)?.[1]
  return (
    <Shell place={path.split('/')[1] || 'fleet'}>
      {job !== undefined ? <Job id={job} /> : path === '/jobs' ? <Jobs /> : path === '/inbox' ? <Inbox /> : <Fleet />}
    </Shell>
  )
}

const root = document.getElementById('page')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
void follow()
