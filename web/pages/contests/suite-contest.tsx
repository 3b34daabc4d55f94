import { useEffect, useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Pending } from '../../parts/notice.tsx'
import { useParameter } from '../../parts/page-address.ts'
import { State } from '../../parts/state.tsx'
import { visible } from '../../parts/visible.ts'
import { Page } from '../../shell/page.tsx'
import { nameOf } from './contest-name.ts'
import { Progress } from './progress.tsx'
import { ReportFrame } from './report.tsx'
import { suiteAddress } from './suite-status.ts'

/** One contest of a suite: its progress and, while no process works on it, its result. */
export function SuiteContest() {
  const [directory] = useParameter('directory')
  const [run] = useParameter('run')
  const params = { query: { directory, run } }
  const [isAtWork, setAtWork] = useState(false)
  const contest = useData(
    ['suites', directory, 'contest', run],
    async () => dataOf(await api.GET('/api/v1/suites/contest', { params })),
    isAtWork ? { everyMs: 2_000 } : { everyMs: 30_000 },
  )
  const { data } = contest
  const status = data?.status ?? null
  useEffect(() => {
    if (data !== null) setAtWork(data.atWork)
  }, [data])
  const back = { to: suiteAddress(directory), title: visible(nameOf(directory)) }
  const title = visible(run)
  return (
    <Page
      title={title}
      crumbs={[{ to: '/contests', title: 'Contests' }, back]}
      about={data?.atWork === true ? <State of="running" pill /> : undefined}
    >
      <div className="stack lg">
        <Pending {...contest} rows={6} back={{ ...back, title: 'Show the suite' }} />
        {data === null ? null : status === null ? (
          <p className="soft">There is no data about this round yet.</p>
        ) : (
          <Progress status={status} isRunning={data.atWork} work={null} />
        )}
        {data === null || status === null || data.atWork ? null : <Result directory={directory} run={run} name={title} />}
      </div>
    </Page>
  )
}

function Result({ directory, run, name }: { readonly directory: string; readonly run: string; readonly name: string }) {
  const report = useData(['suites', directory, 'contest', run, 'page'], async () =>
    dataOf(await api.GET('/api/v1/suites/contest/report.html', { params: { query: { directory, run } }, parseAs: 'text' })),
  )
  return <ReportFrame report={report} title="Result" name={name} />
}
