import { useCallback, useMemo, useRef, useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { useInbox } from '../../inbox.ts'
import { go, useParameter } from '../../parts/address.ts'
import { useKeys } from '../../parts/keys.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Notice, Pending } from '../../parts/notice.tsx'
import { StateName } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Until } from '../../parts/time.tsx'
import { count, many, usd } from '../../parts/words.ts'
import { api } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { ContestLine } from './contest-line.tsx'
import { inOrder, matches, states } from './filter.ts'
import { GiveWork } from './give-work.tsx'
import { Row } from './row.tsx'
import { Selection } from './selection.tsx'
import { type Doing, useFleet } from './use-fleet.ts'

/** With more agents than this, those that rest are one line. */
const mostUnfolded = 60
const resting: ReadonlySet<string> = new Set(['idle', 'stopped'])

/** What every agent really does now, what waits for a human, and a box that gives work. */
export function Fleet() {
  const fleet = useFleet()
  const mayGive = useMay('operator')
  const agents = fleet.data ?? []
  const working = agents.filter(({ running }) => running > 0).length
  const spent = agents.reduce((sum, each) => sum + each.spentUsd, 0)
  return (
    <Page
      title="Fleet"
      about={
        agents.length === 0 ? null : (
          <span className="soft small desk">
            {many(agents.length, 'agent')} · {count(working)} working · {usd(spent)} today
          </span>
        )
      }
      actions={
        mayGive ? (
          <Link className="btn" to="/new-agent">
            <i className="i i-plus" />
            New agent
          </Link>
        ) : undefined
      }
    >
      <div className="stack lg">
        <Pending {...fleet} rows={8} />
        {agents.length > 0 && mayGive ? <GiveWork agents={agents} /> : null}
        <Waiting />
        {fleet.data?.length === 0 ? (
          <Empty icon="fleet" title="There is no agent yet" command="paddock agent create examples/fleet/claude.yaml">
            <p>
              An agent is a CLI or a model with a workspace of its own, which works in a cell. Define one with New agent, or on the machine
              of this server:
            </p>
          </Empty>
        ) : null}
        {agents.length === 0 ? null : <Agents agents={agents} />}
      </div>
    </Page>
  )
}

/** What waits for a human, and contests that run. */
function Waiting() {
  const inbox = useInbox().data ?? []
  const contests = useData(['contests'], async () => dataOf(await api.GET('/api/v1/contests')).items, { everyMs: 10_000 })
  const running = (contests.data ?? []).filter(({ state }) => state === 'running')
  const [first] = inbox
  if (first === undefined && running.length === 0) return null
  return (
    <section className="stack phone-first" aria-label="Waiting and running">
      {first === undefined ? null : (
        <Notice
          actions={
            <Link className="btn" to={`/inbox/${first.id}`}>
              Answer
            </Link>
          }
        >
          <b>{inbox.length === 1 ? 'One thing waits for you.' : `${inbox.length} things wait for you.`}</b>{' '}
          {first.expiresAt === null ? null : (
            <>
              The first ends in <Until at={first.expiresAt} />:{' '}
            </>
          )}
          <Foreign>{first.text}</Foreign>
        </Notice>
      )}
      {running.map(({ id, directory }) => (
        <ContestLine key={id} id={id} directory={directory} />
      ))}
    </section>
  )
}

function Agents({ agents }: { readonly agents: readonly Doing[] }) {
  const [state, setState] = useParameter('state')
  const [filter, setFilter] = useParameter('q')
  const [label, setLabel] = useParameter('label')
  const [isUnfolded, setUnfolded] = useState(agents.length <= mostUnfolded)
  const [focus, setFocus] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const mayChoose = useMay('operator')
  const search = useRef<HTMLInputElement>(null)
  const order = useOrder(agents)
  const found = order.rows.filter(
    (each) => (state === '' || each.state === state) && (label === '' || each.labels.includes(label)) && matches(each, filter),
  )
  const isPlain = state === '' && filter === '' && label === ''
  const folded = isUnfolded || !isPlain ? [] : found.filter((each) => resting.has(each.state))
  const shown = folded.length === 0 ? found : found.filter((each) => !resting.has(each.state))
  const choose = useCallback((id: string): void => {
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const drop = (ids: readonly string[]): void => setChosen((before) => new Set([...before].filter((id) => !ids.includes(id))))
  const step = (by: number): void => {
    const at = shown.findIndex(({ id }) => id === focus)
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))]
    if (next === undefined) return
    setFocus(next.id)
    document.querySelector(`[data-agent="${next.name}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const openFocused = (): void => {
    const name = shown.find(({ id }) => id === focus)?.name
    if (name !== undefined) go(`/agents/${name}/jobs`)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    Enter: openFocused,
    '/': () => search.current?.focus(),
    r: order.again,
    ...(mayChoose && focus !== null ? { x: () => choose(focus) } : {}),
  })
  return (
    <section className="stack" aria-label="Agents">
      <div className="row">
        <fieldset className="chips" aria-label="State">
          <button className="chip" type="button" aria-pressed={state === ''} onClick={() => setState('')}>
            all <span className="n">{agents.length}</span>
          </button>
          {states.map((each) => {
            const number = agents.filter((one) => one.state === each).length
            return number === 0 && state !== each ? null : (
              <button
                key={each}
                className="chip"
                type="button"
                aria-pressed={state === each}
                onClick={() => setState(state === each ? '' : each)}
              >
                <StateName of={each} /> <span className="n">{number}</span>
              </button>
            )
          })}
          {label === '' ? null : (
            <button className="chip" type="button" aria-pressed="true" onClick={() => setLabel('')}>
              {label} <i className="i i-x" />
            </button>
          )}
        </fieldset>
        <input
          ref={search}
          className="w-md end"
          type="search"
          aria-label="Filter"
          placeholder="label:docs kind:claude …"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      <div className="scroll">
        {order.changed === 0 ? null : (
          <div className="newrows">
            <button type="button" onClick={order.again}>
              {many(order.changed, 'agent')} changed state. Sort again <kbd>r</kbd>
            </button>
          </div>
        )}
        <table className="fleet cards">
          <thead>
            <tr>
              <th>State</th>
              <th>Agent</th>
              <th>Now</th>
              <th className="hide">Last 12</th>
              <th className="n hide">Queue</th>
              <th className="n">Today</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((each) => (
              <Row
                key={each.id}
                agent={each}
                isFocused={each.id === focus}
                isChosen={chosen.has(each.id)}
                onChoose={mayChoose ? choose : null}
              />
            ))}
          </tbody>
        </table>
        {found.length === 0 ? <p className="soft pad">No agent is like that.</p> : null}
        {folded.length === 0 ? null : (
          <div className="newrows">
            <button type="button" onClick={() => setUnfolded(true)}>
              {many(folded.length, 'agent')} that rest: show
            </button>
          </div>
        )}
      </div>
      <Selection agents={agents.filter(({ id }) => chosen.has(id))} onDrop={drop} />
    </section>
  )
}

/** Rows change in place. Who comes first is settled once, and again when somebody asks. */
function useOrder(agents: readonly Doing[]) {
  const [settled, setSettled] = useState<readonly (readonly [id: string, state: string])[]>(() =>
    inOrder(agents).map(({ id, state }) => [id, state]),
  )
  return useMemo(() => {
    const places = new Map(settled.map(([id, state], n) => [id, { n, state }]))
    const last = settled.length
    const rows = [...agents].sort((one, other) => (places.get(one.id)?.n ?? last) - (places.get(other.id)?.n ?? last))
    const changed = agents.filter(({ id, state }) => places.get(id)?.state !== state).length
    return { rows, changed, again: () => setSettled(inOrder(agents).map(({ id, state }) => [id, state])) }
  }, [agents, settled])
}
