import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Link } from '../../parts/link.tsx'
import { List } from '../../parts/list.tsx'
import { Empty, Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { Ago } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'
import type { Agent } from '../agent/agent-data.ts'
import { openTerminal } from './attach-terminal.ts'

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
      <List
        query={sessions}
        items={sessions.data}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Session',
            isName: true,
            look: 'nw',
            hover: ({ id }) => id,
            cell: ({ id }) => <Link to={`/sessions/${id}`}>{id.slice(0, 8)}</Link>,
          },
          { title: 'Program', cell: ({ command }) => <code>{command.join(' ') || '–'}</code> },
          { title: 'In control', cell: ({ typist }) => <bdi>{typist ?? 'nobody'}</bdi> },
          { title: 'Viewers', look: 'n', cell: ({ viewers }) => viewers },
          { title: 'Open for', look: 'n', cell: ({ startedAt }) => <Ago at={startedAt} /> },
        ]}
        actions={[{ label: 'Open', run: async ({ id }) => go(`/sessions/${id}`) }]}
        empty={
          <Empty icon="term" title="No terminal is open" command={`paddock shell ${agent}`}>
            <p>Open one here, or in your own terminal:</p>
          </Empty>
        }
      />
    </section>
  )
}
