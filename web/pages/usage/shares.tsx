import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'
import { count, short, usd } from '../../parts/shown-text.ts'
import { Bar } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { daysUntilToday } from './days.ts'

const most = 8

/** The agents or models with the highest use. */
export function Shares({ by, days }: { readonly by: 'agent' | 'model'; readonly days: number }) {
  const [from = ''] = daysUntilToday(days)
  const usage = useData(['usage', by, from], async () => dataOf(await api.GET('/api/v1/usage', { params: { query: { by, from } } })))
  const items = usage.data?.items ?? []
  const rest = items.slice(most)
  const hasCost = items.some(({ costUsd }) => costUsd > 0)
  const size = ({ costUsd, input, output }: (typeof items)[number]): number => (hasCost ? costUsd : input + output)
  const highest = Math.max(1e-9, ...items.map(size))
  return (
    <section className="card" aria-labelledby={`by-${by}`}>
      <header>
        <h2 id={`by-${by}`}>By {by}</h2>
        <span className="soft small end">{days} days</span>
      </header>
      <Pending {...usage} rows={4} />
      {usage.data !== null && items.length === 0 ? <p className="soft pad">No jobs ended in this period.</p> : null}
      {items.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th>{by === 'agent' ? 'Agent' : 'Model'}</th>
              <th className="n">Jobs</th>
              <th className="n">Tokens</th>
              <th className="n">Cost</th>
              <td className="desk" />
            </tr>
          </thead>
          <tbody>
            {items.slice(0, most).map((each) => {
              const { name, jobs, input, output, costUsd, unpriced } = each
              return (
                <tr key={name}>
                  <th scope="row" className="any">
                    {name === '' ? <span className="soft">not reported</span> : <Foreign>{name}</Foreign>}
                  </th>
                  <td className="n">{count(jobs)}</td>
                  <td className="n">{short(input + output)}</td>
                  <td className="n" title={unpriced === 0 ? undefined : `${count(unpriced)} of the jobs did not report their cost`}>
                    {unpriced === jobs ? '–' : usd(costUsd)}
                  </td>
                  <td className="w-sm desk">
                    <Bar used={size(each)} of={highest} label={`${Math.round((100 * size(each)) / highest)}% of the highest`} isShare />
                  </td>
                </tr>
              )
            })}
            {rest.length === 0 ? null : (
              <tr>
                <th scope="row">{count(rest.length)} others</th>
                <td className="n">{count(rest.reduce((sum, { jobs }) => sum + jobs, 0))}</td>
                <td className="n">{short(rest.reduce((sum, { input, output }) => sum + input + output, 0))}</td>
                <td className="n">{usd(rest.reduce((sum, { costUsd }) => sum + costUsd, 0))}</td>
                <td className="desk" />
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  )
}
