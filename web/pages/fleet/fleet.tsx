import { Link } from '../../parts/link.tsx'
import { Empty, Pending } from '../../parts/notice.tsx'
import { count, many, usd } from '../../parts/shown-text.ts'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { Agents } from './agents.tsx'
import { GiveWork } from './give-work.tsx'
import { useFleet } from './use-fleet.ts'
import { Waiting } from './waiting.tsx'

/** The current work of every agent, everything that waits for a human, and a box to give work. */
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
          <Empty icon="fleet" title="There are no agents yet" command="paddock agent create examples/fleet/claude.yaml">
            <p>
              An agent is a CLI or a model with its own workspace that works in a cell. Define one with New agent, or on the machine of this
              server:
            </p>
          </Empty>
        ) : null}
        {agents.length === 0 ? null : <Agents agents={agents} />}
      </div>
    </Page>
  )
}
