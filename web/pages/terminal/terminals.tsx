import { dataOf, useData } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { go } from '../../parts/address.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending, Trouble } from '../../parts/notice.tsx'
import { Ago } from '../../parts/time.tsx'
import { api } from '../../session.ts'
import { useMay } from '../../who.ts'
import type { Agent } from '../agent/agent-data.ts'
import { openTerminal } from './open.ts'

/** The open terminals of an agent, and a button for a new one. */
export function Terminals({ agent: { name: agent } }: { readonly agent: Agent }) {
  const sessions = useData(['sessions', agent], async () =>
    dataOf(await api.GET('/api/v1/sessions')).items.filter((each) => each.agent === agent),
  )
  const mayOpen = useMay('operator')
  const open = useAct(async () => go(`/sessions/${await openTerminal(agent)}`))
  return (
    <section className="stack" aria-label={`Terminals of ${agent}`}>
      <div className="row">
        <p className="soft grow">
          A terminal is a separate cell with the home and workspace of the agent. It keeps running when nobody is watching.
        </p>
        {mayOpen ? (
          <button className="btn main" type="button" disabled={open.isSending} onClick={() => open.run()}>
            {open.isSending ? 'Opening …' : 'Open terminal'}
          </button>
        ) : null}
      </div>
      {open.problem === null ? null : <Trouble problem={open.problem} />}
      <Pending {...sessions} />
      {sessions.data?.length === 0 ? (
        <Empty icon="term" title="No terminal is open" command={`paddock shell ${agent}`}>
          <p>Open one here, or in your own terminal:</p>
        </Empty>
      ) : null}
      {sessions.data === null || sessions.data.length === 0 ? null : (
        <div className="scroll">
          <table className="cards">
            <thead>
              <tr>
                <th>Session</th>
                <th>Program</th>
                <th>In control</th>
                <th className="n">Viewers</th>
                <th className="n">Open for</th>
                <th>
                  <span className="sr">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {sessions.data.map((each) => (
                <tr key={each.id}>
                  <th scope="row" className="nw" title={each.id}>
                    <Link to={`/sessions/${each.id}`}>{each.id.slice(0, 8)}</Link>
                  </th>
                  <td>
                    <code>{each.command.join(' ') || '–'}</code>
                  </td>
                  <td>
                    <bdi>{each.typist ?? 'nobody'}</bdi>
                  </td>
                  <td className="n">{each.viewers}</td>
                  <td className="n">
                    <Ago at={each.startedAt} />
                  </td>
                  <td>
                    <Link className="btn" to={`/sessions/${each.id}`}>
                      Open
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
