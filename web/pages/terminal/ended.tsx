import { useState } from 'react'
import { Link } from '../../parts/link.tsx'
import { go } from '../../parts/page-address.ts'
import { openTerminal } from './attach-terminal.ts'

/** The actions that are offered after a terminal has ended. */
export function Ended({ agent, why, mayOpen }: { readonly agent: string | null; readonly why: string; readonly mayOpen: boolean }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const open = async (name: string): Promise<void> => {
    setSending(true)
    const id = await openTerminal(name).catch((error: Error) => setProblem(error.message))
    setSending(false)
    if (id !== undefined) go(`/sessions/${id}`)
  }
  return (
    <div className="over card pad stack" role="alert">
      <h3>This terminal has ended</h3>
      {why.split('\n').map((each) => (
        <p key={each}>{each}</p>
      ))}
      {problem === null ? null : (
        <p className="aside bad">
          <i className="i i-fail" />
          <span>{problem}</span>
        </p>
      )}
      <div className="row">
        {agent === null ? (
          <Link className="btn" to="/fleet">
            Go to the fleet
          </Link>
        ) : (
          <>
            <Link className="btn" to={`/agents/${encodeURIComponent(agent)}/terminal`}>
              Go to {agent}
            </Link>
            {mayOpen ? (
              <button className="btn main" type="button" disabled={isSending} onClick={() => void open(agent)}>
                {isSending ? 'Opening …' : 'Open a new terminal'}
              </button>
            ) : null}
          </>
        )}
      </div>
    </div>
  )
}
