import { type ReactNode, useEffect, useState } from 'react'
import type { Loaded } from '../data.ts'
import { Commands } from './commands.tsx'

const icons = { bad: 'fail', good: 'done', run: 'live', warn: 'wait' } as const

/** One sentence, and at most two actions. */
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

/** What went wrong: what happened, and the fix. */
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

/** The content before there is anything to show, or beside what could not be loaded anew. `rows`: how many rows will be there. */
export function Pending({ data, problem, again, rows = 5 }: Loaded<unknown> & { readonly rows?: number }) {
  if (problem !== null) return <Trouble problem={problem} again={again} />
  return data === null ? <Skeleton rows={rows} /> : null
}

/** Nothing for 300 ms, so that what comes at once does not flicker. */
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

/** What it is, the one next step, the command for it. */
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
