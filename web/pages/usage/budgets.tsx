import type { operations } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Pending } from '../../parts/notice.tsx'
import { clock, count, short, span, usd } from '../../parts/shown-text.ts'
import { Bar } from '../../parts/state.tsx'
import { useClock } from '../../parts/time.tsx'

type Budget = operations['getBudgets']['responses']['200']['content']['application/json']['items'][number]

/** The daily and monthly budgets: those of the fleet first, then by the used share. */
export function Budgets() {
  const budgets = useData(['usage', 'budgets'], async () => dataOf(await api.GET('/api/v1/budgets')).items, { everyMs: 60_000 })
  const items = (budgets.data ?? []).toSorted(
    (one, other) => Number(one.agent !== null) - Number(other.agent !== null) || other.used / other.limit - one.used / one.limit,
  )
  return (
    <section className="stack" aria-labelledby="budgets">
      <h2 id="budgets">Budgets</h2>
      <Pending {...budgets} rows={2} />
      {budgets.data?.length === 0 ? (
        <p className="soft">
          Neither the fleet nor any agent has a daily or monthly budget. Agents get theirs from <code>budgets</code> in the manifest, the
          fleet from <code>fleet.budgets</code> in config.yaml.
        </p>
      ) : null}
      {items.length === 0 ? null : (
        <div className="three">
          {items.map((each) => (
            <One key={`${each.agent} ${each.period} ${each.unit}`} {...each} />
          ))}
        </div>
      )}
    </section>
  )
}

function One(budget: Budget) {
  const { agent, period, unit, limit, used } = budget
  const share = Math.round((100 * used) / limit)
  const forecast = useClock((now) => forecastOf(budget, now))
  const label = `${amount(unit, used)} of ${amount(unit, limit)}`
  return (
    <section className="card pad stack" aria-label={`${agent ?? 'The fleet'}, ${period}, ${unit}`}>
      <span className="soft small">
        {agent === null ? 'The fleet' : <Link to={`/agents/${agent}/jobs`}>{agent}</Link>}, {period === 'day' ? 'today' : 'this month'}
      </span>
      <span className="fig">
        {amount(unit, used)} <span className="soft small">of {amount(unit, limit)}</span>
      </span>
      <Bar used={used} of={limit} label={label} />
      <span className={`small ${share >= 100 ? 'bad' : share >= 80 || forecast.includes('runs out') ? 'warn' : 'soft'}`}>
        {share >= 80 ? <i className="i i-limit" /> : null} {share}%. {forecast}
      </span>
    </section>
  )
}

/** Returns a sentence that forecasts the use of a budget, from the rate since its period started. */
function forecastOf({ used, limit, since, until, period }: Budget, now: number): string {
  const [begin, end] = [Date.parse(since), Date.parse(until)]
  if (used >= limit) return `It is used up, and resets at ${clock(until)}.`
  if (used === 0 || now <= begin) return 'Nothing has been used so far.'
  const at = begin + ((now - begin) * limit) / used
  if (at < end)
    return `At this pace, it runs out ${period === 'day' ? `at ${clock(new Date(at).toISOString())}` : `on ${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}`}.`
  return `At this pace, ${Math.round((100 * used * (end - begin)) / (now - begin) / limit)}% by the end of the ${period}.`
}

function amount(unit: Budget['unit'], value: number): string {
  if (unit === 'usd') return usd(value)
  if (unit === 'time') return span(value)
  return `${unit === 'tokens' ? short(value) : count(value)} ${unit}`
}
