import { type ReactNode, useEffect } from 'react'
import { useInbox } from '../inbox.ts'
import { Link } from '../parts/link.tsx'
import { Banner } from './banner.tsx'
import { Connection } from './connection.tsx'

/** The frame of one view: title and path, state, at most two actions, and content. */
export function Page({
  title,
  shown,
  crumbs = [],
  about,
  actions,
  tabs,
  flush = false,
  children,
}: {
  /** The title of the browser tab, and of the heading unless there is `shown`. */
  readonly title: string
  readonly shown?: ReactNode
  readonly crumbs?: readonly { readonly to: string; readonly title: string }[]
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly tabs?: ReactNode
  readonly flush?: boolean
  readonly children: ReactNode
}) {
  const waiting = useInbox().data?.length ?? 0
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${title} – Paddock`
  }, [title, waiting])
  return (
    <>
      <header className="top">
        {crumbs.map((each, n) => (
          <Link key={each.to} className={`crumb${n === crumbs.length - 1 ? ' back' : ''}`} to={each.to} label={each.title}>
            <span className="desk">{each.title}</span>
          </Link>
        ))}
        <h1>{shown ?? title}</h1>
        {about}
        {actions === undefined ? null : <span className="row end">{actions}</span>}
        <span className={`phone${actions === undefined ? ' end' : ''}`}>
          <Connection short />
        </span>
      </header>
      <Banner />
      {tabs}
      <main id="main" className={flush ? 'flush' : undefined} tabIndex={-1}>
        {children}
      </main>
    </>
  )
}
