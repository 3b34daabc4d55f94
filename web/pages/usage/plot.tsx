import { useEffect, useRef } from 'react'
import { visible } from '../../parts/visible.ts'
import { amountOf, roundUp } from './amounts.ts'
import { dayText, type Series } from './days.ts'

/** The area of the bars, in the drawing's own units. */
const [left, right, top, bottom] = [46, 600, 10, 150]
const lines = 4
/** The longest name next to the plot in characters, and the least distance between two names. */
const [longest, apart] = [18, 12]

/** Stacked bars, one for each day, with the names of the series. */
export function Plot({
  days,
  series,
  unit,
}: {
  readonly days: readonly string[]
  readonly series: readonly Series[]
  readonly unit: string
}) {
  const box = useRef<HTMLElement>(null)
  // A phone shows a part of it: the newest days, also after it was turned.
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const observer = new ResizeObserver(() => {
      current.scrollLeft = current.scrollWidth
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const totals = days.map((_, n) => series.reduce((sum, { values }) => sum + (values[n] ?? 0), 0))
  const highest = roundUp(Math.max(...totals))
  const y = (value: number): number => bottom - ((bottom - top) * value) / highest
  const step = (right - left) / days.length
  const width = Math.max(0.8, step * 0.72)
  const ticks = days.flatMap((day, n) => ((days.length - 1 - n) % Math.ceil(days.length / 5) === 0 ? [{ day, n }] : []))
  const best = totals.indexOf(Math.max(...totals))
  const label = `${dayText(days[0] ?? '')} to today. Today ${amountOf(unit, totals.at(-1) ?? 0)}, highest day ${amountOf(unit, totals[best] ?? 0)} on ${dayText(days[best] ?? '')}.`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
    <section className="pad scroller" ref={box} tabIndex={0} aria-label="By day, as a plot">
      <svg className="plot" viewBox="0 0 720 176" width="100%" role="img" aria-label={label}>
        {Array.from({ length: lines + 1 }, (_, n) => {
          const value = (highest * n) / lines
          return (
            <g key={n}>
              <line x1={left} x2={right} y1={y(value)} y2={y(value)} />
              <text x={left - 6} y={y(value) + 4} textAnchor="end">
                {amountOf(unit, value).replace(/\.00$/, '')}
              </text>
            </g>
          )
        })}
        {days.map((day, n) => {
          let below = 0
          return (
            <g key={day}>
              {series.map(({ name, values }, color) => {
                const value = values[n] ?? 0
                below += value
                return value === 0 ? null : (
                  <rect
                    key={name}
                    className={`c${color + 1}`}
                    x={left + n * step + (step - width) / 2}
                    y={y(below)}
                    width={width}
                    height={y(below - value) - y(below)}
                  >
                    <title>{`${dayText(day)}: ${visible(name)} ${amountOf(unit, value)}`}</title>
                  </rect>
                )
              })}
            </g>
          )
        })}
        {ticks.map(({ day, n }) => (
          <text key={day} x={left + (n + 0.5) * step} y={bottom + 16} textAnchor="middle">
            {n === days.length - 1 ? 'today' : dayText(day)}
          </text>
        ))}
        <Names series={series} y={y} />
      </svg>
    </section>
  )
}

/** The names of the series, each at its height on the last day with a job. Names never overlap. */
function Names({ series, y }: { readonly series: readonly Series[]; readonly y: (value: number) => number }) {
  const last = Math.max(...series.map(({ values }) => values.findLastIndex((each) => each > 0)))
  let below = 0
  let lowest = bottom + apart
  const places = series.map(({ name, values }, color) => {
    const value = values[last] ?? 0
    const middle = y(below + value / 2) + 4
    below += value
    lowest = Math.min(middle, lowest - apart)
    return { name, color, at: lowest }
  })
  return places.map(({ name, color, at }) => (
    <g key={name}>
      <rect className={`c${color + 1}`} x={right + 8} y={at - 8} width="8" height="8" />
      <text className="ink" x={right + 20} y={at}>
        <title>{visible(name)}</title>
        {visible(name.length > longest ? `${name.slice(0, longest - 1)}…` : name)}
      </text>
    </g>
  ))
}
