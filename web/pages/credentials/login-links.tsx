import { useState } from 'react'
import { Copy } from '../../parts/copy.tsx'
import { roleWords } from '../../parts/role-text.ts'

const roles = ['owner', 'operator', 'viewer'] as const

/** Links that sign in a browser. The server creates them only for commands on its own machine. */
export function LoginLinks() {
  const [role, setRole] = useState<(typeof roles)[number]>('viewer')
  const command = role === 'owner' ? 'paddock open' : `paddock open --role ${role}`
  return (
    <section className="card" aria-labelledby="links">
      <header>
        <h2 id="links">Login links</h2>
        <span className="soft small end">sign another browser in</span>
      </header>
      <div className="pad stack">
        <p>A link works once, within 5 minutes, and signs in one browser for 12 hours. To create one, run on the server’s machine:</p>
        <div className="row">
          <select
            className="w-sm"
            aria-label="Role of the link"
            value={role}
            onChange={(event) => setRole(event.target.value as typeof role)}
          >
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <span className="soft small">{roleWords[role]}</span>
        </div>
        <div className="row">
          <pre className="cmd grow">{command}</pre>
          <Copy text={command} label="Copy the command" />
        </div>
      </div>
    </section>
  )
}
