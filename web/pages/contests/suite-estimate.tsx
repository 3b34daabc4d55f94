import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'
import { count, many, usd } from '../../parts/shown-text.ts'
import { partsOf, type SuiteStatus } from './suite-status.ts'

type Plan = components['schemas']['SuitePlan']
type Detection = components['schemas']['SuiteDetection']

/** The work that would be done if this suite were started now, what it may cost, and which difference it can find. */
export function SuiteEstimate({ directory, status }: { readonly directory: string; readonly status: SuiteStatus }) {
  // Every part that is done changes both.
  const { done } = partsOf(status.contests)
  const query = { params: { query: { directory } } }
  const plan = useData(['suites', directory, 'plan', done], async () => dataOf(await api.GET('/api/v1/suites/plan', query)))
  const detection = useData(['suites', directory, 'detection', done], async () => dataOf(await api.GET('/api/v1/suites/detection', query)))
  const { data } = plan
  if (data === null) return <Pending {...plan} rows={3} />
  return (
    <dl className="kv">
      <dt>To run</dt>
      <dd>
        {count(data.contests.open)} of {many(data.contests.all, 'contest')}: {many(data.open.participants, 'participant')},{' '}
        {many(data.open.judges, 'judge')}
      </dd>
      <dt>At once</dt>
      <dd>{many(data.parallel, 'cell')}</dd>
      <dt>Estimate</dt>
      <dd>{costText(data)}</dd>
      {detection.data === null ? null : (
        <>
          <dt>Finds</dt>
          <dd>{detectionText(detection.data)}</dd>
        </>
      )}
    </dl>
  )
}

const costText = ({ cost, contests }: Plan): string => {
  if (contests.open === 0) return 'no cost, because all contests are complete'
  return cost.money === null ? 'no cost is known yet' : `about ${usd(cost.money)}, from earlier costs`
}

/** Returns which difference the suite finds as it is, and what it takes to find the difference that was asked for. */
function detectionText({ detect, now, needed, smallest }: Detection): string {
  const found =
    smallest === null
      ? 'no difference, because that takes three briefs'
      : `differences of ${count(Math.ceil(smallest * 10) / 10)} of 100 points with ${many(now.briefs, 'brief')}`
  if (needed === null || needed.briefs <= now.briefs) return found
  return `${found}; ${detect} points would take ${many(needed.briefs, 'brief')}${needed.money === null ? '' : `, about ${usd(needed.money)}`}`
}
