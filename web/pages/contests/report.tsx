import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'

/**
 * The report as in its file: who won, and all tables. Its content comes from submissions and judges, so it is in a frame that does not share this page's origin,
 * runs only the report's own script, sends no forms, opens no windows, and has this page's policy in addition to its own.
 */
export function Report({ id, name }: { readonly id: string; readonly name: string }) {
  const report = useData(['contests', id, 'page'], async () =>
    dataOf(await api.GET('/api/v1/contests/{contest}/report.html', { params: { path: { contest: id } }, parseAs: 'text' })),
  )
  return (
    <section className="stack" aria-labelledby="result">
      <h2 id="result">Result</h2>
      <Pending {...report} rows={8} />
      {report.data === null ? null : <iframe className="report" sandbox="allow-scripts" srcDoc={report.data} title={`Report of ${name}`} />}
    </section>
  )
}
