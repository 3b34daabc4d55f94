import { useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Link } from '../../parts/link.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Event } from '../job/event.tsx'
import { useTranscript } from '../job/transcript-lines.ts'

/** The most transcript rows shown before a question. */
const mostRows = 8

/** A link to a job. Its text is the prompt, once that is loaded. */
export function JobLink({ id }: { readonly id: string }) {
  const job = useData(['job', id], async () => dataOf(await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })))
  return (
    <Link to={`/jobs/${id}`}>
      {job.data === null ? `job ${id}` : <Foreign>{`job ${job.data.number}, “${job.data.promptStart.slice(0, 80)}”`}</Foreign>}
    </Link>
  )
}

/** The end of a job's transcript, which is loaded only on request. */
export function Before({ job }: { readonly job: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <i className="i i-msg" />
        What the agent did before
      </summary>
      {isOpen ? <End job={job} /> : null}
    </details>
  )
}

function End({ job: id }: { readonly job: string }) {
  const job = useData(['job', id], async () => dataOf(await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } }))).data
  const { rows, left } = useTranscript(id)
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map())
  const last = rows.all.slice(-mostRows)
  if (job === null || left > 0) return <p className="soft small pad">Loading …</p>
  return (
    <div className="io events">
      {last.length === 0 ? <p className="soft">It has not printed anything yet.</p> : null}
      {last.map((row) => (
        <Event
          key={row.n}
          row={row}
          startedAt={Date.parse(job.startedAt ?? job.createdAt)}
          isOpen={toggled.get(row.n) ?? false}
          onToggle={(n, isShown) => setToggled((before) => new Map(before).set(n, isShown))}
          isPlain
        />
      ))}
    </div>
  )
}
