import { useState } from 'react'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Link } from '../../parts/link.tsx'

/** The ways to log a CLI in: on the machine, or in a terminal of an agent that uses it. */
export function LogIn({
  agent,
  users,
  isNeeded,
}: {
  readonly agent: string
  readonly users: readonly string[]
  readonly isNeeded: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const command = agent === 'gh' ? 'gh auth login' : `paddock login ${agent}`
  return (
    <>
      <button className={`btn${isNeeded ? ' main' : ''}`} type="button" onClick={() => setOpen(true)}>
        Log in …
      </button>
      {isOpen ? (
        <Dialog label={`Log in ${agent}`} onClose={() => setOpen(false)}>
          <div className="pad stack">
            <h2>Log in {agent}</h2>
            <p>Run on the server’s machine:</p>
            <div className="row">
              <pre className="cmd grow">{command}</pre>
              <Copy text={command} label="Copy the command" />
            </div>
            {users.length === 0 ? null : (
              <p>
                Or log in within a terminal of {users[0]}: <Link to={`/agents/${users[0]}/terminal`}>open it</Link>
              </p>
            )}
            <p className="row">
              <button className="btn end" type="button" autoFocus onClick={() => setOpen(false)}>
                Close
              </button>
            </p>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
