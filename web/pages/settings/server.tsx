import type { components } from '../../../src/client/api.ts'
import { useServer } from '../../ask-server.ts'
import { Pending } from '../../parts/notice.tsx'
import { bytes, count, exact, span } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { Part } from './part.tsx'

type Facts = components['schemas']['Server']

/** The server, and the settings that only its configuration file can change. */
export function Server() {
  const server = useServer()
  return (
    <Part id="server" title="Server">
      <Pending {...server} rows={4} />
      {server.data === null ? null : <Known {...server.data} />}
    </Part>
  )
}

function Known({ version, machine, startedAt, configuration }: Facts) {
  return (
    <>
      <dl className="kv">
        <dt>Version</dt>
        <dd>Paddock {version}</dd>
        <dt>Machine</dt>
        <dd>
          <code>{machine}</code>
        </dd>
        <dt>Started</dt>
        <dd>
          {exact(startedAt)}, <Ago at={startedAt} /> ago
        </dd>
      </dl>
      <h3>Set by config.yaml</h3>
      <p className="soft small">
        Only <code>config.yaml</code> on the machine changes these, and the server reads it when it starts. To see the file:{' '}
        <code>paddock config show</code>
      </p>
      <Configured {...configuration} />
    </>
  )
}

function Configured({ projects, contests, retention, budgets, prices }: Facts['configuration']) {
  const kept = retention.ageMs === null ? 'of any age' : `for ${span(retention.ageMs)}`
  return (
    <dl className="kv">
      <dt>
        <code>fleet.projects</code>
      </dt>
      <dd>{directories(projects)}</dd>
      <dt>
        <code>fleet.contests</code>
      </dt>
      <dd>{directories(contests)}</dd>
      <dt>
        <code>fleet.retention</code>
      </dt>
      <dd>
        Ended jobs {kept}, transcripts up to {retention.bytes === null ? 'any size' : bytes(retention.bytes)}, the newest{' '}
        {count(retention.events)} events
      </dd>
      <dt>
        <code>fleet.budgets</code>
      </dt>
      <dd>{(['day', 'month'] as const).map((each) => `${each}: ${budgetText(budgets[each])}`).join(' · ')}</dd>
      <dt>
        <code>fleet.prices</code>
      </dt>
      <dd>
        {prices.length === 0
          ? 'none: the agents report their cost'
          : prices.map((each) => (each === '*' ? 'any other model' : each)).join(', ')}
      </dd>
    </dl>
  )
}

function directories(list: readonly string[] | null) {
  if (list === null) return <span className="soft">visible to operators and owners</span>
  if (list.length === 0) return 'none'
  return (
    <ul className="plainlist">
      {list.map((each) => (
        <li key={each}>
          <code>
            <Foreign>{each}</Foreign>
          </code>
        </li>
      ))}
    </ul>
  )
}

function budgetText(budget: Facts['configuration']['budgets']['day']): string {
  if (budget === null) return 'unlimited'
  const { usd, tokens, turns, time } = budget
  return [
    usd === undefined ? null : `$${usd}`,
    tokens === undefined ? null : `${count(tokens)} tokens`,
    turns === undefined ? null : `${count(turns)} turns`,
    time === undefined ? null : time,
  ]
    .filter((each) => each !== null)
    .join(', ')
}
