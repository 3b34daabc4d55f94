import { clock, count } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { useClock } from '../../parts/time.tsx'
import type { Decision } from './decisions.ts'

const minutes = 60
const minuteMs = 60_000
/** The size of the drawing, in its own units. */
const [width, height] = [600, 48]

/** The decisions per minute in the last hour, or since the oldest loaded decision. */
export function LastHour({ rows }: { readonly rows: readonly Decision[] }) {
  const now = useClock((each) => Math.ceil(each / minuteMs) * minuteMs)
  const begin = now - minutes * minuteMs
  const oldest = rows.at(-1)?.at
  const isWhole = rows.length < 400 || (oldest !== undefined && Date.parse(oldest) <= begin)
  const bars = Array.from({ length: minutes }, () => ({ allowed: 0, denied: 0 }))
  for (const { at, decision } of rows) {
    const bar = bars[Math.floor((Date.parse(at) - begin) / minuteMs)]
    if (bar !== undefined) bar[decision] += 1
  }
  const sum = (kind: 'allowed' | 'denied'): number => bars.reduce((all, each) => all + each[kind], 0)
  const [allowed, denied] = [sum('allowed'), sum('denied')]
  const highest = Math.max(1, ...bars.map((each) => each.allowed + each.denied))
  const scale = (value: number): number => (value === 0 ? 0 : Math.max(1.5, (value * (height - 2)) / highest))
  const label = `${count(allowed)} allowed, ${count(denied)} denied in the last 60 minutes, at most ${count(highest)} a minute`
  return (
    <figure className="card pad stack">
      <figcaption className="row small">
        <b>Last 60 minutes</b>
        <span className="soft">
          {isWhole || oldest === undefined ? 'decisions a minute' : `decisions a minute, counted since ${clock(oldest)}`}
        </span>
        <span className="end row">
          <b className="nw">{count(allowed)}</b> <State of="allowed" />
          <b className="nw">{count(denied)}</b> <State of="denied" />
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + 2}`} width="100%" height="56" preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map((each, n) => {
          const [low, high] = [scale(each.allowed), scale(each.denied)]
          return (
            <g key={n}>
              {low === 0 ? null : <rect className="c1" x={n * 10 + 1} y={height - low} width="8" height={low} />}
              {high === 0 ? null : <rect className="cbad" x={n * 10 + 1} y={height - low - high} width="8" height={high} />}
            </g>
          )
        })}
        <path className="base" d={`M0 ${height + 1.5}h${width}`} />
      </svg>
    </figure>
  )
}
