import { useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Notice, Pending } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { visible } from '../../parts/visible.ts'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { Actions } from './contest-actions.tsx'
import { nameOf } from './contest-name.ts'
import { Progress } from './progress.tsx'
import { Report } from './report.tsx'

/** One contest: its progress and, once the contest has ended, its result. */
export function Contest({ id }: { readonly id: string }) {
  const mayApply = useMay('operator')
  const [over, setOver] = useState<string | null>(null)
  const contest = useData(
    ['contests', id],
    async () => {
      const found = dataOf(await api.GET('/api/v1/contests/{contest}', { params: { path: { contest: id } } }))
      setOver((before) => (found.state !== 'running' ? id : before === id ? null : before))
      return found
    },
    over === id ? {} : { everyMs: 2_000 },
  )
  const found = contest.data
  const status = found?.status ?? null
  const title = found === null ? 'Contest' : visible(nameOf(found.directory))
  return (
    <Page
      title={title}
      crumbs={[{ to: '/contests', title: 'Contests' }]}
      about={
        found === null ? undefined : (
          <>
            <State of={found.state} pill />
            <span className="soft small desk">started by {visible(found.requestedBy)}</span>
          </>
        )
      }
    >
      <div className="stack lg">
        <Pending {...contest} rows={6} back={{ to: '/contests', title: 'Show all contests' }} />
        {found === null ? null : <Actions contest={found} status={status} />}
        {found === null || found.problem === null ? null : (
          <Notice tone={found.state === 'cancelled' ? 'warn' : 'bad'}>{visible(found.problem)}</Notice>
        )}
        {status === null ? (
          found === null ? null : (
            <p className="soft">There is no data about this round yet.</p>
          )
        ) : (
          <Progress status={status} isRunning={found?.state === 'running'} work={mayApply && found?.hasProject === true ? id : null} />
        )}
        {found?.state === 'done' ? <Report id={id} name={title} /> : null}
      </div>
    </Page>
  )
}
