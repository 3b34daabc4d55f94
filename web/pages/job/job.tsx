import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { useKeys } from '../../parts/keys.ts'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../who.ts'
import { Composer } from './composer.tsx'
import { Events } from './events.tsx'
import { Facts, type WholeJob } from './facts.tsx'
import { Held } from './held-files.tsx'
import { titleOf } from './title.ts'
import { useTranscript } from './transcript-lines.ts'

/** One job: its agent's output, live, and its result. */
export function Job({ id }: { readonly id: string }) {
  const job = useData(['job', id], async () => dataOf(await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })))
  if (job.data === null)
    return (
      <Page title="Job" crumbs={[{ to: '/jobs', title: 'Jobs' }]}>
        <Pending {...job} back={{ to: '/jobs', title: 'Show all jobs' }} />
      </Page>
    )
  return <Known key={id} job={job.data} />
}

function Known({ job }: { readonly job: WholeJob }) {
  const { id, state, agent, prompt } = job
  const transcript = useTranscript(id)
  const mayChange = useMay('operator')
  const isRunning = state === 'running' || state === 'waiting'
  const hasEnded = job.endedAt !== null
  const known = useData(
    ['agent', agent ?? ''],
    async () => dataOf(await api.GET('/api/v1/agents/{agent}', { params: { path: { agent: agent ?? '' } } })),
    {
      wanted: agent !== null,
    },
  )
  const cancel = useAct(async () => {
    dataOf(await api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: id } } }))
    changed(['job', id])
  })
  useKeys({ d: () => job.result?.copy != null && go(`/jobs/${id}/review`) })
  const title = titleOf(prompt)
  return (
    <Page
      title={title}
      shown={<Foreign>{title}</Foreign>}
      crumbs={[agent === null ? { to: '/jobs', title: 'Jobs' } : { to: `/agents/${agent}/jobs`, title: agent }]}
      about={<State of={state} pill />}
      actions={
        mayChange && !hasEnded ? (
          <button className="btn" type="button" disabled={cancel.isSending || job.cancelAsked} onClick={() => cancel.run()}>
            <i className="i i-x" />
            {job.cancelAsked || cancel.isSending ? 'Cancelling …' : 'Cancel job'}
          </button>
        ) : undefined
      }
    >
      <div className="split">
        <div className="stack">
          {cancel.problem === null ? null : <Trouble problem={cancel.problem} />}
          <div className="ev you">
            <span />
            <div className="say">
              <pre className="prompt">
                <Foreign>{prompt}</Foreign>
              </pre>
            </div>
          </div>
          <Events
            transcript={transcript}
            startedAt={Date.parse(job.startedAt ?? job.createdAt)}
            isRunning={isRunning}
            isPlain={known.data?.manifest.agent === 'command'}
            why={job.problem ?? job.result?.outcome.message ?? null}
          />
          <Held job={id} />
          {mayChange && agent !== null && job.lease === null ? <Composer job={id} agent={agent} isRunning={!hasEnded} /> : null}
        </div>
        <Facts job={job} />
      </div>
    </Page>
  )
}
