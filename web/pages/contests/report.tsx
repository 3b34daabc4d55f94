import type { ReactNode } from 'react'
import { dataOf, type Loaded, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'

/** The report of a contest as in its file: who won, and all tables. */
export function Report({ id, name }: { readonly id: string; readonly name: string }) {
  const report = useData(['contests', id, 'page'], async () =>
    dataOf(await api.GET('/api/v1/contests/{contest}/report.html', { params: { path: { contest: id } }, parseAs: 'text' })),
  )
  return <ReportFrame report={report} title="Result" name={name} />
}

/**
 * A report in a frame. Its content comes from submissions and judges, so the frame does not share this page's origin, runs only the report's own
 * script, sends no forms, opens no windows, and has this page's policy in addition to its own.
 */
export function ReportFrame({
  report,
  title,
  name,
  actions,
}: {
  readonly report: Loaded<string>
  readonly title: string
  /** The name of the contest or suite. */
  readonly name: string
  readonly actions?: ReactNode
}) {
  return (
    <section className="stack" aria-labelledby="result">
      <div className="row">
        <h2 id="result">{title}</h2>
        {actions}
      </div>
      <Pending {...report} rows={8} />
      {report.data === null ? null : <iframe className="report" sandbox="allow-scripts" srcDoc={report.data} title={`Report of ${name}`} />}
    </section>
  )
}
