import { type FormEvent, useState } from 'react'
import { changed, dataOf, useData } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Copy } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Empty, Notice, Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { clock, usd } from '../../parts/words.ts'
import { api } from '../../session.ts'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

/** The leases of the agent: borrower, duration and limits. */
export function Leases({ agent }: { readonly agent: Agent }) {
  const isOwner = useMay('owner')
  const all = useData(['leases'], async () => dataOf(await api.GET('/api/v1/leases')).items, { wanted: isOwner })
  const [isNew, setNew] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const [doomed, setDoomed] = useState<string | null>(null)
  const revoke = useAct(async (lease: string) => {
    dataOf(await api.DELETE('/api/v1/leases/{lease}', { params: { path: { lease } } }))
    changed(['leases'])
  })
  if (!isOwner) return <p className="soft">Only owners can lend agents and see their leases.</p>
  if (all.data === null) return <Pending {...all} />
  const own = all.data.filter(({ agentId }) => agentId === agent.id)
  return (
    <div className="stack">
      {revoke.problem === null ? null : <Trouble problem={revoke.problem} />}
      {token === null ? null : (
        <Notice tone="good" actions={<Copy text={token} label="Copy the token" />}>
          <b>The borrower’s token. It will not be shown again:</b> <code>{token}</code>
        </Notice>
      )}
      {own.length === 0 && !isNew ? (
        <Empty icon="user" title="This agent is not lent to anyone" command={`paddock lease create ${agent.name} --name NAME --expires 7d`}>
          <p>
            A lease lends the agent to somebody else until a date, with a budget. It works for them in a separate workspace, home and
            memory.
          </p>
        </Empty>
      ) : null}
      {own.length === 0 ? null : (
        <div className="scroll">
          <table className="cards wrap">
            <thead>
              <tr>
                <th>State</th>
                <th>Lease</th>
                <th>May use</th>
                <th>Used</th>
                <th>Ends</th>
                <th>
                  <span className="sr">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {own.map((each) => (
                <tr key={each.id}>
                  <td>
                    <State of={each.state} />
                  </td>
                  <th scope="row">{each.name}</th>
                  <td>
                    {[
                      each.tools === null ? 'all tools' : each.tools.join(', ') || 'no tools',
                      ...(each.hasTopics ? ['some topics'] : []),
                      ...(each.terminal === undefined ? [] : [each.terminal === 'type' ? 'a terminal' : 'a read-only terminal']),
                    ].join(' · ')}
                  </td>
                  <td>
                    {usd(each.spent.usd)}
                    {each.budget?.usd === undefined ? '' : ` of ${usd(each.budget.usd)}`}, {each.spent.turns} turns
                  </td>
                  <td className="nw">{clock(each.endedAt ?? each.expiresAt)}</td>
                  <td>
                    {each.endedAt !== null || each.revokedAt !== null ? null : (
                      <button className="btn bad" type="button" onClick={() => setDoomed(each.id)}>
                        Revoke …
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isNew ? (
        <NewLease
          agent={agent}
          onDone={(secret) => {
            setNew(false)
            setToken(secret)
          }}
        />
      ) : (
        <p>
          <button className="btn" type="button" onClick={() => setNew(true)}>
            <i className="i i-plus" />
            Lend agent
          </button>
        </p>
      )}
      {doomed === null ? null : (
        <Confirm
          title="Revoke this lease?"
          act="Revoke lease"
          onClose={() => setDoomed(null)}
          onAct={() => {
            revoke.run(doomed)
            setDoomed(null)
          }}
        >
          Its token stops working, and its jobs and terminals end immediately.
        </Confirm>
      )}
    </div>
  )
}

function NewLease({ agent, onDone }: { readonly agent: Agent; readonly onDone: (token: string | null) => void }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('7')
  const [money, setMoney] = useState('')
  const [terminal, setTerminal] = useState<'' | 'read' | 'type'>('')
  const create = useAct(async () => {
    const body = {
      ...{ name, agent: agent.id, expires: `${days}d` },
      ...(money === '' ? {} : { budget: { usd: Number(money) } }),
      ...(terminal === '' ? {} : { terminal }),
    }
    const { token } = dataOf(await api.POST('/api/v1/leases', { body }))
    changed(['leases'])
    onDone(token)
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.run()
  }
  return (
    <form className="card pad stack" aria-label="Lend agent" onSubmit={submit}>
      <h2>Lend {agent.name}</h2>
      {create.problem === null ? null : <Trouble problem={create.problem} />}
      <div className="two">
        <Field label="Name" hint="Lower-case letters, digits and hyphens, such as docs-team">
          {(control) => <input {...control} required value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Days">
          {(control) => (
            <input {...control} type="number" min="1" max="365" required value={days} onChange={(event) => setDays(event.target.value)} />
          )}
        </Field>
        <Field label="Budget in US dollars" hint="For all its jobs together. Leave empty for no limit">
          {(control) => (
            <input {...control} type="number" min="0.01" step="0.01" value={money} onChange={(event) => setMoney(event.target.value)} />
          )}
        </Field>
        <Field label="Terminal">
          {(control) => (
            <select {...control} value={terminal} onChange={(event) => setTerminal(event.target.value as typeof terminal)}>
              <option value="">none</option>
              <option value="read">view only</option>
              <option value="type">view and type</option>
            </select>
          )}
        </Field>
      </div>
      <p className="soft small">
        To choose tools and topics, use the command line: <code>paddock lease create --help</code>
      </p>
      <p className="row">
        <button className="btn" type="button" onClick={() => onDone(null)}>
          Cancel
        </button>
        <button className="btn main end" type="submit" disabled={create.isSending}>
          {create.isSending ? 'Lending …' : 'Lend agent'}
        </button>
      </p>
    </form>
  )
}
