import { useState } from 'react'
import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { many } from '../../parts/words.ts'
import { api } from '../../session.ts'
import { useMay } from '../../who.ts'
import { NewWebhook } from './new-webhook.tsx'
import { Part } from './part.tsx'

type Webhook = components['schemas']['Webhook']

/** Programs that receive events of the fleet. */
export function Webhooks() {
  const isOwner = useMay('owner')
  const webhooks = useData(['webhooks'], async () => dataOf(await api.GET('/api/v1/webhooks')).items, { everyMs: 15_000 })
  return (
    <Part id="webhooks" title="Webhooks" about="send events to other programs">
      <Pending {...webhooks} rows={2} />
      {webhooks.data?.length === 0 ? <p className="soft">There are no webhooks yet.</p> : null}
      {webhooks.data === null || webhooks.data.length === 0 ? null : (
        <div className="scroll">
          <table className="cards wrap">
            <thead>
              <tr>
                <th>Last delivery</th>
                <th>Name and address</th>
                <th>Events</th>
                {isOwner ? <td /> : null}
              </tr>
            </thead>
            <tbody>
              {webhooks.data.map((each) => (
                <Row key={each.id} webhook={each} isOwner={isOwner} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isOwner ? <NewWebhook /> : <p className="soft small">Only owners can add and change webhooks.</p>}
    </Part>
  )
}

function Row({ webhook, isOwner }: { readonly webhook: Webhook; readonly isOwner: boolean }) {
  const { id, name, url, events, paused, last } = webhook
  const [isAsked, setAsked] = useState(false)
  const params = { path: { webhook: id } }
  const pause = useAct(async () => {
    dataOf(
      await (paused ? api.POST('/api/v1/webhooks/{webhook}/resume', { params }) : api.POST('/api/v1/webhooks/{webhook}/pause', { params })),
    )
    changed(['webhooks'])
  })
  const test = useAct(async () => {
    const { status, problem } = dataOf(await api.POST('/api/v1/webhooks/{webhook}/test', { params }))
    changed(['webhooks'])
    if (problem !== null) throw new Error(`The test was refused: ${problem}`)
    say(`${name} accepted the test (${status})`)
  })
  const remove = useAct(async () => {
    dataOf(await api.DELETE('/api/v1/webhooks/{webhook}', { params }))
    setAsked(false)
    changed(['webhooks'])
  })
  const problem = pause.problem ?? test.problem ?? remove.problem
  return (
    <tr>
      <td>
        <State of={paused ? 'paused' : last === null ? 'not run' : last.state} />
        {last === null ? null : (
          <span className="soft small block">
            <Ago at={last.at} /> ago{last.status === null ? '' : `, ${last.status}`}
          </span>
        )}
      </td>
      <th scope="row">
        {name}
        <code className="soft xs block any">
          <Foreign>{url}</Foreign>
        </code>
        {last?.problem == null ? null : (
          <span className="small block bad">
            <Foreign>{last.problem}</Foreign>
          </span>
        )}
        {problem === null ? null : <Trouble problem={problem} />}
      </th>
      <td className="wide soft small">{events.length > 4 ? many(events.length, 'type of event', 'types of events') : events.join(', ')}</td>
      {isOwner ? (
        <td className="wide">
          <span className="row">
            <button className="btn" type="button" disabled={test.isSending} onClick={() => test.run()}>
              {test.isSending ? 'Testing …' : 'Test'}
            </button>
            <button className="btn" type="button" disabled={pause.isSending} onClick={() => pause.run()}>
              {paused ? 'Resume' : 'Pause'}
            </button>
            <button className="btn bad" type="button" onClick={() => setAsked(true)}>
              Delete …
            </button>
          </span>
          {isAsked ? (
            <Confirm
              title={`Delete the webhook ${name}?`}
              act="Delete webhook"
              isSending={remove.isSending}
              onAct={() => remove.run()}
              onClose={() => setAsked(false)}
            >
              <p>Its secret is deleted, and pending deliveries are dropped.</p>
            </Confirm>
          ) : null}
        </td>
      ) : null}
    </tr>
  )
}
