import type { ReactNode } from 'react'
import { Link as Routed } from 'wouter'

/** A link within the page. The browser handles middle clicks and similar actions. */
export function Link({
  to,
  children,
  current = false,
  ...more
}: {
  readonly to: string
  readonly children: ReactNode
  readonly className?: string | undefined
  readonly current?: boolean
  readonly label?: string
}) {
  return (
    <Routed href={to} className={more.className} aria-current={current ? 'page' : undefined} aria-label={more.label}>
      {children}
    </Routed>
  )
}
