import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'
import { many, usd } from '../../parts/shown-text.ts'
import { visible } from '../../parts/visible.ts'

type Plan = components['schemas']['ContestPlan']

/** The work that would be done if this contest were started now. */
export function Estimate({ directory }: { readonly directory: string }) {
  const plan = useData(['contest-plan', directory], async () =>
    dataOf(await api.GET('/api/v1/contests/plan', { params: { query: { directory } } })),
  )
  const { data } = plan
  if (data === null) return <Pending {...plan} rows={3} />
  const { participants, judges, cells, parallel, round } = data
  if (participants.length + judges.length === 0) return <p className="soft small">Round {round} is complete. Nothing would run.</p>
  return (
    <dl className="kv">
      <dt>Round</dt>
      <dd>{round}</dd>
      <dt>Participants</dt>
      <dd>{names(participants)}</dd>
      <dt>Judges</dt>
      <dd>{names(judges)}</dd>
      <dt>Isolation level</dt>
      <dd>{levelsOf(data)}</dd>
      <dt>Cells</dt>
      <dd>
        {many(cells.participants + cells.checks + cells.judges, 'cell')}, {parallel} at once
      </dd>
      <dt>Estimate</dt>
      <dd>{costOf(data)}</dd>
    </dl>
  )
}

const names = (roles: Plan['participants']): string => (roles.length === 0 ? '–' : roles.map(({ name }) => visible(name)).join(', '))

/** Returns the isolation level of all, or of each if they differ. */
function levelsOf({ participants, judges }: Plan): string {
  const all = [...participants, ...judges]
  const levels = [...new Set(all.map(({ posture }) => posture))]
  return levels.length === 1 ? levels.join() : all.map(({ name, posture }) => `${visible(name)}: ${posture}`).join(', ')
}

/** Returns the cost, estimated from earlier costs in this contest. */
function costOf({ costUsd, costUnknown }: Plan): string {
  if (costUnknown.length === 0) return costUsd > 0 ? `${usd(costUsd)}, from earlier costs` : 'no cost, because no model is used'
  return `${costUsd > 0 ? `${usd(costUsd)}, and ` : ''}unknown for ${costUnknown.map(visible).join(', ')}`
}
