import { useParameter } from '../../parts/page-address.ts'
import { Page } from '../../shell/page.tsx'
import { Budgets } from './budgets.tsx'
import { ByDay } from './by-day.tsx'
import { Shares } from './shares.tsx'

const periods = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const

/** The use of the fleet, and its budgets. */
export function Usage() {
  const [period, setPeriod] = useParameter('days', '30')
  const days = periods.some(([each]) => each === period) ? Number(period) : 30
  return (
    <Page
      title="Usage"
      actions={
        <select className="w-sm" aria-label="Period" value={String(days)} onChange={(event) => setPeriod(event.target.value)}>
          {periods.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      }
    >
      <div className="stack lg">
        <Budgets />
        <ByDay days={days} />
        <div className="two">
          <Shares by="agent" days={days} />
          <Shares by="model" days={days} />
        </div>
        <p className="soft small">
          Jobs that have ended, by day (UTC). Costs are as agents report them, otherwise computed from the prices in config.yaml. For a
          subscription, the cost is the price of the same tokens with an API key.
        </p>
      </div>
    </Page>
  )
}
