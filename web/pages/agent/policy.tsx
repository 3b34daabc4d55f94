import { Fragment } from 'react'
import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Pending } from '../../parts/notice.tsx'
import { count } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import type { Agent } from './agent-data.ts'

export type Policy = components['schemas']['Policy']

/** The agent's policy in plain language, and whether all of it is enforced here. */
export function PolicyTab({ agent }: { readonly agent: Agent }) {
  const policy = useData(['agent', agent.name, 'policy'], async () =>
    dataOf(await api.GET('/api/v1/agents/{agent}/policy', { params: { path: { agent: agent.id } } })),
  )
  return (
    <div className="split">
      {policy.data === null ? <Pending {...policy} /> : <PolicyWords policy={policy.data} />}
      <aside className="rail" aria-label="Enforced here">
        <section className="card pad stack">
          <h2>Enforced here</h2>
          <Seen />
          {agent.refusals.length === 0 ? (
            <p className="good">
              <i className="i i-done" /> This machine can enforce all of it.
            </p>
          ) : (
            <p className="bad">
              <i className="i i-fail" /> This machine cannot enforce all of it, so the agent cannot run here.
            </p>
          )}
          <p>
            <Link to="/guarantees">Show the guarantees</Link>
          </p>
          <p>
            <Link to={`/egress?agent=${agent.name}`}>Show its egress</Link>
          </p>
        </section>
      </aside>
    </div>
  )
}

/** The number of guarantees that held in the last test. */
function Seen() {
  const { data } = useData(['guarantees'], async () => dataOf(await api.GET('/api/v1/guarantees')))
  if (data === null) return null
  const { result, startedAt } = data
  if (result === null) return <p className="soft">No guarantees have been tested since the server started.</p>
  const tried = result.guarantees.filter(({ status }) => status !== 'unenforceable')
  const held = tried.filter(({ status }) => status === 'held').length
  return (
    <p className={held === tried.length ? 'good' : 'bad'}>
      <i className={`i i-${held === tried.length ? 'done' : 'fail'}`} /> {count(held)} of {count(tried.length)} guarantees held, tested{' '}
      <Ago at={startedAt} /> ago.
    </p>
  )
}

const lists = [
  ['may', 'It may', 'check', 'good'],
  ['mustAsk', 'It must ask', 'held', 'warn'],
  ['mayNot', 'It may not', 'x', 'bad'],
] as const

export function PolicyWords({ policy }: { readonly policy: Policy }) {
  return (
    <div className="stack">
      {lists.map(([key, title, icon, colour]) =>
        policy[key].length === 0 ? null : (
          <section key={key} className="card pad">
            <h2>{title}</h2>
            <ul className="plain plainlist">
              {policy[key].map(({ text, why }) => (
                <li key={text}>
                  <i className={`i i-${icon} ${colour}`} />
                  <span>
                    <Foreign>{text}</Foreign>{' '}
                    <span className="soft small">
                      <Foreign>{why}</Foreign>
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      <Trifecta rating={policy.trifecta} />
    </div>
  )
}

const parts = [
  ['privateData', 'Private data'],
  ['untrusted', 'Text of others'],
  ['wayOut', 'A way out'],
] as const

/** Private data, text of others and a way out: an agent with all three can be made to send data away. */
function Trifecta({ rating }: { readonly rating: Policy['trifecta'] }) {
  return (
    <section className="card pad stack">
      <h2>Lethal trifecta</h2>
      <p className={rating.all ? 'warn' : 'good'}>
        <i className={`i i-${rating.all ? 'held' : 'done'}`} />{' '}
        {rating.all ? 'All three parts: text of others can make it send data away.' : 'Not all three parts.'}
      </p>
      <dl className="kv">
        {parts.map(([key, title]) => (
          <Fragment key={key}>
            <dt>{title}</dt>
            <dd>{rating[key].length === 0 ? <span className="soft">none</span> : <Foreign>{rating[key].join(', ')}</Foreign>}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}
