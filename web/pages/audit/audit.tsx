import { Page } from '../../shell/page.tsx'
import { useMay, useWho } from '../../who.ts'
import { Filters } from './audit-filters.tsx'
import { Chain } from './chain.tsx'
import { Lines } from './lines.tsx'

/** The record of all actions and actors, in a tamper-evident log. */
export function Audit() {
  const [isOwner, isKnown] = [useMay('owner'), useWho() !== null]
  return (
    <Page title="Audit" about={<span className="soft small desk">what was done, and by whom</span>}>
      {isOwner ? (
        <div className="stack">
          <Chain />
          <Filters />
          <Lines />
        </div>
      ) : isKnown ? (
        <p className="soft">Only owners can read the audit log.</p>
      ) : null}
    </Page>
  )
}
