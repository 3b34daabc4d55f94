import { type FormEvent, useState } from 'react'
import { eventKinds } from '../../../src/fleet/store/event-kinds.ts'
import { changed, dataOf } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Copy } from '../../parts/copy.tsx'
import { Notice, Trouble } from '../../parts/notice.tsx'
import { api } from '../../session.ts'

type Kind = (typeof eventKinds)[number]
const usual: readonly Kind[] = ['job.ended', 'job.waiting', 'job.budget']

/** Adds a webhook. Its secret is shown only once. */
export function NewWebhook() {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<ReadonlySet<Kind>>(new Set(usual))
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string } | null>(null)
  const add = useAct(async () => {
    const { secret } = dataOf(await api.POST('/api/v1/webhooks', { body: { name, url, events: [...events], secret: null } }))
    setMade({ name, secret })
    setName('')
    setUrl('')
    changed(['webhooks'])
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.run()
  }
  const toggle = (kind: Kind): void => {
    const next = new Set(events)
    if (!next.delete(kind)) next.add(kind)
    setEvents(next)
  }
  return (
    <>
      {made === null ? null : (
        <Notice
          tone="good"
          actions={
            <>
              <Copy text={made.secret} label="Copy the secret" />
              <button className="btn" type="button" onClick={() => setMade(null)}>
                Done
              </button>
            </>
          }
        >
          <b>The webhook {made.name} was added.</b> Deliveries are signed with this secret. It will not be shown again:{' '}
          <code className="any">{made.secret}</code>
        </Notice>
      )}
      <form className="stack" aria-label="Add a webhook" onSubmit={submit}>
        <div className="two sm">
          <div className="field">
            <label htmlFor="webhook-name">Name</label>
            <input
              id="webhook-name"
              required
              pattern="[a-z0-9]([a-z0-9._\-]{0,62}[a-z0-9])?"
              title="Lower-case letters, digits, . _ -"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </div>
          <div className="field">
            <label htmlFor="webhook-url">URL</label>
            <input
              id="webhook-url"
              type="url"
              required
              placeholder="https://hooks.example.com/paddock"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          </div>
        </div>
        <details>
          <summary className="small">Events: {[...events].join(', ') || 'none'}</summary>
          <div className="three small">
            {eventKinds.map((each) => (
              <label key={each} className="row">
                <input type="checkbox" checked={events.has(each)} onChange={() => toggle(each)} />
                {each}
              </label>
            ))}
          </div>
        </details>
        {add.problem === null ? null : <Trouble problem={add.problem} />}
        <p>
          <button className="btn main" type="submit" disabled={add.isSending || events.size === 0}>
            {add.isSending ? 'Adding …' : 'Add webhook'}
          </button>
        </p>
      </form>
    </>
  )
}
