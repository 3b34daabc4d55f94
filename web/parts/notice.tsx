import { type ReactNode, useEffect, useState } from 'react'
import type { Loaded } from '../data.ts'
import { Commands } from './commands.tsx'
import { Link } from './link.tsx'

const icons = { bad: 'fail', good: 'done', run: 'live', warn: 'wait' } as const

/** A notice with one sentence and at most two actions. */
export function Notice({
  tone = 'warn',
  children,
  actions,
}: {
  readonly tone?: keyof typeof icons
  readonly children: ReactNode
  readonly actions?: ReactNode
}) {
  return (
    <div className={`aside${tone === 'warn' ? '' : ` ${tone}`}`} role={tone === 'bad' ? 'alert' : undefined}>
      <i className={`i i-${icons[tone]}`} />
      <span>{children}</span>
      {actions === undefined ? null : <span className="row">{actions}</span>}
    </div>
  )
}

/** An error: the problem, and the fix. */
export function Trouble({ problem, again }: { readonly problem: string; readonly again?: (() => void) | undefined }) {
  return (
    <Notice
      tone="bad"
      actions={
        again === undefined ? undefined : (
          <button className="btn" type="button" onClick={again}>
            Try again
          </button>
        )
      }
    >
      <Commands in={problem} />
    </Notice>
  )
}

/** A view to go to from one that cannot be shown. */
export interface WayBack {
  readonly to: string
  readonly title: string
}

/** A note for an address at which there is nothing, with a way back. */
export function Missing({ problem, back }: { readonly problem: string; readonly back: WayBack }) {
  return (
    <Notice
      tone="bad"
      actions={
        <Link className="btn" to={back.to}>
          {back.title}
        </Link>
      }
    >
      <Commands in={problem} />
    </Notice>
  )
}

/**
 * A note while there is no content yet, or next to content that could not be reloaded. `rows`: the expected number of rows. `back`: where to
 * go if what the address names does not exist.
 */
export function Pending({
  data,
  problem,
  isMissing,
  again,
  rows = 5,
  back,
}: Loaded<unknown> & { readonly rows?: number; readonly back?: WayBack }) {
  if (problem !== null && isMissing && back !== undefined) return <Missing problem={problem} back={back} />
  if (problem !== null) return <Trouble problem={problem} again={again} />
  return data === null ? <Skeleton rows={rows} /> : null
}

/** A placeholder for rows that are loading. It is invisible for 300 ms, so that fast responses do not flicker. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <div className="card pad stack" role="status">
      <span className="sr">Loading …</span>
      {Array.from({ length: rows }, (_, n) => (
        <span key={n} className={`sk sk-${n % 3}`} />
      ))}
    </div>
  )
}

/** A note for an empty list: what belongs here, the next step, and its command. */
export function Empty({
  icon,
  title,
  children,
  command,
}: {
  readonly icon: string
  readonly title: string
  readonly children?: ReactNode
  readonly command?: string
}) {
  return (
    <section className="empty">
      <i className={`i i-${icon}`} />
      <h2>{title}</h2>
      {children}
      {command === undefined ? null : <pre className="cmd">{command}</pre>}
    </section>
  )
}
