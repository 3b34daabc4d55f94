import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useLocation } from 'wouter'
import { followEvents, queries } from './data.ts'
import { follow } from './live.ts'
import { notifyOfInbox, notifyOfJobs } from './notifications.ts'
import { isSignedIn, signedOut } from './page-session.ts'
import { Login } from './pages/login.tsx'
import { Routes } from './routes.tsx'
import { Shell } from './shell/shell.tsx'

function App() {
  const [path] = useLocation()
  const [isIn, setIn] = useState(isSignedIn)
  useEffect(() => {
    const out = (): void => {
      setIn(false)
      queries.clear()
    }
    addEventListener(signedOut, out)
    return () => removeEventListener(signedOut, out)
  }, [])
  if (!isIn || path === '/login') return <Login onIn={() => setIn(true)} />
  return (
    <Shell>
      <Routes />
    </Shell>
  )
}

const root = document.getElementById('page')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
followEvents()
notifyOfInbox()
notifyOfJobs()
void follow()
