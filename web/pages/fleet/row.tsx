import { memo } from 'react'
import { useInbox } from '../../inbox.ts'
import { Link } from '../../parts/link.tsx'
import type { Place } from '../../parts/rows.tsx'
import { begun, usd } from '../../parts/shown-text.ts'
import { Bar, State, Ticks } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import type { Doing } from './activity-text.ts'

/** One agent. The row is only redrawn if the agent's entry has changed. */
export const Row = memo(function Row({
  agent,
  place,
  isFocused,
  isChosen,
  onChoose,
}: {
  readonly agent: Doing
  readonly place: Place
  readonly isFocused: boolean
  readonly isChosen: boolean
  /** Called to select or deselect the agent; null if actions are not possible. */
  readonly onChoose: ((id: string) => void) | null
}) {
  return (
    <tr {...place} className={isFocused ? 'focus' : undefined} aria-selected={isChosen || undefined} data-agent={agent.name}>
      <td>
        <span className="pick">
          {onChoose === null ? null : (
            <label>
              <input type="checkbox" aria-label={`Select ${agent.name}`} checked={isChosen} onChange={() => onChoose(agent.id)} />
            </label>
          )}
          <State of={agent.state} />
        </span>
      </td>
      <th scope="row">
        <Link to={`/agents/${agent.name}/jobs`}>{agent.name}</Link>
        <span className="kind small">{agent.model === null ? agent.agent : `${agent.agent} · ${agent.model}`}</span>
      </th>
      <td className="now">
        <Now agent={agent} />
      </td>
      <td className="hide">
        <Ticks states={agent.recent} />
      </td>
      <td className="n hide">{agent.queued === 0 ? <span className="soft">–</span> : agent.queued}</td>
      <td className="spend n">
        <span className="row">
          <span>{usd(agent.spentUsd)}</span>
          {agent.budgetUsd === null ? null : (
            <Bar used={agent.spentUsd} of={agent.budgetUsd} label={`${usd(agent.spentUsd)} of ${usd(agent.budgetUsd)} today`} />
          )}
        </span>
      </td>
    </tr>
  )
})

function Now({ agent: { name, now, last, problem, state } }: { readonly agent: Doing }) {
  if (problem !== null)
    return (
      <span>
        <Foreign className="cut">{problem}</Foreign>
      </span>
    )
  if (state === 'waiting') return <Asks agent={name} otherwise={last === null ? '' : last.promptStart} />
  if (now !== null)
    return (
      <span>
        <Foreign className="cut">{now.text}</Foreign>
        <span className="soft xs nw">
          <Ago at={now.at} />
        </span>
      </span>
    )
  if (state === 'working' || state === 'starting')
    return <span className="soft">Starting “{last === null ? '…' : <Foreign>{last.promptStart}</Foreign>}”</span>
  if (last === null) return <span className="soft">No jobs yet</span>
  return (
    <span className="soft">
      <span className="cut">
        {last.endedAt === null ? (
          'Working on '
        ) : (
          <>
            {begun(last.state)} <Ago at={last.endedAt} /> ago:{' '}
          </>
        )}
        “<Foreign>{last.promptStart}</Foreign>”
      </span>
    </span>
  )
}

/** The question that an agent waits for, from the inbox. */
function Asks({ agent, otherwise }: { readonly agent: string; readonly otherwise: string }) {
  const asked = useInbox().data?.find((each) => each.agent === agent)
  return (
    <span>
      <Foreign className="cut">
        {asked === undefined ? `Waiting for an answer: “${otherwise}”` : begun(asked.text.replace(`${agent} `, ''))}
      </Foreign>
    </span>
  )
}
