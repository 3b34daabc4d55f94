import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useParameter } from '../../parts/page-address.ts'
import { visible } from '../../parts/visible.ts'
import { Page } from '../../shell/page.tsx'
import { nameOf } from './contest-name.ts'
import { ReportFrame } from './report.tsx'
import { suiteAddress } from './suite-status.ts'

/** One comparison of a suite with an earlier run, in the same kind of frame as a report. */
export function SuiteComparison() {
  const [directory] = useParameter('directory')
  const [name] = useParameter('name')
  const query = { directory, name }
  const page = useData(['suites', directory, 'comparison', name], async () =>
    dataOf(await api.GET('/api/v1/suites/comparison.html', { params: { query }, parseAs: 'text' })),
  )
  // The frame cannot reach the files of the contests.
  const shown = page.data === null ? page : { ...page, data: page.data.replaceAll('<a href="../', '<a data-file="../') }
  const title = visible(name)
  return (
    <Page
      title={title}
      crumbs={[
        { to: '/contests', title: 'Contests' },
        { to: suiteAddress(directory), title: visible(nameOf(directory)) },
      ]}
    >
      <ReportFrame report={shown} title="Comparison" name={title} />
    </Page>
  )
}
