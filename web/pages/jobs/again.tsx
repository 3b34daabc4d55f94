import { dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { go } from '../../parts/page-address.ts'
import { wantFocus } from '../../parts/wanted-focus.ts'
import type { Job } from './use-jobs.ts'

/** The action for a job that was not done: continue it if it was interrupted and has a conversation, else give its prompt again. */
export function Again({ job }: { readonly job: Job }) {
  const { id, state, conversation, lease, agentId } = job
  const give = useAct(async () => {
    const before = dataOf(await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } }))
    const to = before.agent === null ? { labels: before.labels } : { agent: before.agent, labels: [] }
    const limit = before.budget === null ? {} : { budget: before.budget }
    const given = dataOf(await api.POST('/api/v1/jobs', { body: { ...to, prompt: before.prompt, ...limit } }))
    go(`/jobs/${given.id}`)
  })
  if (lease !== null || (state !== 'interrupted' && state !== 'failed' && state !== 'cancelled')) return null
  if (state === 'interrupted' && conversation !== null && agentId !== null)
    return (
      <button
        className="btn"
        type="button"
        onClick={() => {
          wantFocus('message', false)
          go(`/jobs/${id}`)
        }}
      >
        Continue
      </button>
    )
  return (
    <>
      <button className="btn" type="button" disabled={give.isSending} onClick={() => give.run()}>
        {give.isSending ? 'Giving …' : 'Run again'}
      </button>
      {give.problem === null ? null : (
        <span className="bad small" role="alert">
          {give.problem}
        </span>
      )}
    </>
  )
}
