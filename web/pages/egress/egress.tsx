import { useState } from 'react'
import { useParameter } from '../../parts/page-address.ts'
import { Page } from '../../shell/page.tsx'
import { useMay, useWho } from '../../who.ts'
import { Filters } from './egress-filters.tsx'
import { DecisionTable } from './egress-table.tsx'
import { Held } from './held-requests.tsx'
import { Hosts } from './hosts.tsx'
import { LastHour } from './last-hour.tsx'
import { Remembered } from './remembered.tsx'
import { useDecisions } from './use-decisions.ts'

/** The egress of cells, and the held connections. */
export function Egress() {
  const isOwner = useMay('owner')
  const isKnown = useWho() !== null
  return (
    <Page title="Egress" about={<span className="soft small desk">each cell has its own gateway</span>}>
      <div className="stack lg">
        <Held />
        {isOwner ? (
          <Log />
        ) : isKnown ? (
          <>
            <p className="soft">The decisions of all gateways are in the audit log, which only owners can read.</p>
            <Remembered />
          </>
        ) : null}
      </div>
    </Page>
  )
}

function Log() {
  const [agent] = useParameter('agent')
  const [host] = useParameter('host')
  const [decision] = useParameter('decision')
  const [isRead, setRead] = useState(false)
  const decisions = useDecisions({ agent, host, isPaused: isRead })
  const rows = decisions.rows?.filter((each) => decision === '' || each.decision === decision) ?? null
  return (
    <>
      {decisions.rows === null || decisions.rows.length === 0 ? null : <LastHour rows={decisions.rows} />}
      <div className="split">
        <section className="stack" aria-labelledby="decisions">
          <h2 id="decisions" className="sr">
            Decisions
          </h2>
          <Filters />
          <DecisionTable {...decisions} rows={rows} isFiltered={agent !== '' || host !== '' || decision !== ''} onRead={setRead} />
        </section>
        <div className="rail">
          <Hosts rows={decisions.rows ?? []} />
          <Remembered />
        </div>
      </div>
    </>
  )
}
