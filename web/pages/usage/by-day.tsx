import { Fragment, useMemo } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'
import { useParameter } from '../../parts/page-address.ts'
import { DayTable } from './day-table.tsx'
import { daysUntilToday, type Series } from './days.ts'
import { Plot } from './plot.tsx'

const others = 'all others'

const groups = ['kind', 'agent', 'model'] as const

/** Daily cost or tokens by kind, agent or model, as a drawing or as a table. */
export function ByDay({ days }: { readonly days: number }) {
  const [by, setBy] = useParameter('by', 'model')
  const [unit, setUnit] = useParameter('unit', 'usd')
  const [shown, setShown] = useParameter('shown', 'plot')
  const group = groups.find((each) => each === by) ?? 'model'
  const all = useMemo(() => daysUntilToday(days), [days])
  const [from = '', to = ''] = [all[0], all.at(-1)]
  const usage = useData(
    ['usage', 'days', group, from, to],
    async () => dataOf(await api.GET('/api/v1/usage/days', { params: { query: { by: group, from, to } } })).items,
  )
  const items = usage.data
  const series = useMemo((): readonly Series[] => {
    const at = new Map(all.map((day, n) => [day, n]))
    const found = new Map<string, number[]>()
    for (const { day, name, costUsd, tokens } of items ?? []) {
      const title = name === null ? others : name === '' ? 'not reported' : name
      const values = found.get(title) ?? Array.from({ length: all.length }, () => 0)
      const n = at.get(day)
      if (n !== undefined) values[n] = (values[n] ?? 0) + (unit === 'usd' ? costUsd : tokens)
      found.set(title, values)
    }
    const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
    return [...found]
      .map(([name, values]) => ({ name, values }))
      .sort((one, other) => Number(one.name === others) - Number(other.name === others) || sum(other.values) - sum(one.values))
  }, [items, all, unit])
  const chip = (title: string, isOn: boolean, onClick: () => void) => (
    <button className="chip" type="button" aria-pressed={isOn} onClick={onClick}>
      {title}
    </button>
  )
  return (
    <section className="card" aria-labelledby="by-day">
      <header>
        <h2 id="by-day">By day</h2>
        <span className="end row">
          <span className="chips">
            {groups.map((each) => (
              <Fragment key={each}>{chip(`By ${each}`, group === each, () => setBy(each))}</Fragment>
            ))}
          </span>
          <span className="chips">
            {chip('Cost', unit === 'usd', () => setUnit('usd'))}
            {chip('Tokens', unit !== 'usd', () => setUnit('tokens'))}
          </span>
          <button
            className="btn"
            type="button"
            aria-pressed={shown === 'table'}
            onClick={() => setShown(shown === 'table' ? 'plot' : 'table')}
          >
            {shown === 'table' ? 'Plot' : 'Table'}
          </button>
        </span>
      </header>
      <Pending {...usage} rows={6} />
      {items === null ? null : items.length === 0 ? (
        <p className="soft pad">No jobs ended in this period.</p>
      ) : shown === 'table' ? (
        <DayTable days={all} series={series} unit={unit} />
      ) : (
        <Plot days={all} series={series} unit={unit} />
      )}
    </section>
  )
}
