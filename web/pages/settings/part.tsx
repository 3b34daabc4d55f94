import type { ReactNode } from 'react'

/** One part of the settings, with its own URL. */
export function Part({
  id,
  title,
  about,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="card part" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {about === undefined ? null : <span className="soft small end">{about}</span>}
      </header>
      <div className="pad stack">{children}</div>
    </section>
  )
}
