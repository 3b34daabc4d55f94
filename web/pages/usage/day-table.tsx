import { Foreign } from '../../parts/text.tsx'
import { amountOf } from './amounts.ts'
import { dayText, type Series } from './days.ts'

/** The numbers of the plot, newest day first, without days on which no job ended. */
export function DayTable({
  days,
  series,
  unit,
}: {
  readonly days: readonly string[]
  readonly series: readonly Series[]
  readonly unit: string
}) {
  const rows = days.map((day, n) => ({ day, values: series.map(({ values }) => values[n] ?? 0) })).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
    <section className="scroller" tabIndex={0} aria-label="By day, as a table">
      <table>
        <thead>
          <tr>
            <th>Day</th>
            {series.map(({ name }) => (
              <th key={name} className="n">
                <Foreign>{name}</Foreign>
              </th>
            ))}
            <th className="n">Total</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(({ values }) => values.some((each) => each > 0))
            .map(({ day, values }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                {values.map((each, n) => (
                  <td key={series[n]?.name} className="n">
                    {each === 0 ? '–' : amountOf(unit, each)}
                  </td>
                ))}
                <td className="n b">
                  {amountOf(
                    unit,
                    values.reduce((one, other) => one + other, 0),
                  )}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
