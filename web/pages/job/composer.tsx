import { type FormEvent, useRef } from 'react'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { useDraft } from '../../parts/draft.ts'
import { useKeys } from '../../parts/keys.ts'
import { Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { useWantedFocus } from '../../parts/wanted-focus.ts'

/** Sends text to a job: as a message that waits for its end, as a message that interrupts it, or as a job that continues it. */
export function Composer({ job, agent, isRunning }: { readonly job: string; readonly agent: string; readonly isRunning: boolean }) {
  const [text, setText, forget] = useDraft(`message ${job}`)
  const field = useRef<HTMLTextAreaElement>(null)
  useWantedFocus('message')
  const params = { path: { job } }
  const queue = useAct(async (isNow: boolean) => {
    const { id } = dataOf(await api.POST('/api/v1/jobs/{job}/messages', { params, body: { prompt: text } }))
    forget()
    changed(['jobs'])
    if (!isNow) return
    dataOf(await api.POST('/api/v1/jobs/{job}/send-now', { params: { path: { job: id } } }))
    go(`/jobs/${id}`)
  })
  const goOn = useAct(async () => {
    const { id } = dataOf(await api.POST('/api/v1/jobs/{job}/continue', { params, body: { prompt: text } }))
    forget()
    go(`/jobs/${id}`)
  })
  useKeys({ m: () => field.current?.focus() })
  const isSending = queue.isSending || goOn.isSending
  const isEmpty = text.trim() === ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isEmpty) return
    if (isRunning) queue.run(false)
    else goOn.run()
  }
  const problem = queue.problem ?? goOn.problem
  return (
    <div className="composer">
      {problem === null ? null : <Trouble problem={problem} />}
      <form className="card give" aria-label="Message" onSubmit={submit}>
        <label className="sr" htmlFor="message">
          Message to {agent}
        </label>
        <textarea
          id="message"
          ref={field}
          rows={1}
          placeholder={`Message to ${agent}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
        <div className="row">
          <span className="soft small grow">
            {isRunning ? 'Sent in the same conversation when this job ends.' : 'Continues the conversation of this job.'}
          </span>
          {isRunning ? (
            <button className="btn" type="button" disabled={isSending || isEmpty} onClick={() => queue.run(true)}>
              Send now, interrupt
            </button>
          ) : null}
          <button className="btn main" type="submit" disabled={isSending || isEmpty}>
            {isSending ? 'Sending …' : isRunning ? 'Queue' : 'Continue'} <kbd>Ctrl ⏎</kbd>
          </button>
        </div>
      </form>
    </div>
  )
}
