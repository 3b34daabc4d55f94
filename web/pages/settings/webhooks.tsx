import type { components } from '../../../src/client/api.ts'
import { eventKinds } from '../../../src/fleet/store/fleet-event-kinds.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { New } from '../../parts/form.tsx'
import { type Column, List, type RowAction } from '../../parts/list.tsx'
import { many } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useMay } from '../../who.ts'
import { Part } from './part.tsx'

type Webhook = components['schemas']['Webhook']

const columns: readonly Column<Webhook>[] = [
  {
    title: 'Last delivery',
    cell: ({ paused, last }) => (
      <>
        <State of={paused ? 'paused' : last === null ? 'not run' : last.state} />
        {last === null ? null : (
          <span className="soft small block">
            <Ago at={last.at} /> ago{last.status === null ? '' : `, ${last.status}`}
          </span>
        )}
      </>
    ),
  },
  {
    title: 'Name and address',
    isName: true,
    cell: ({ name, url, last }) => (
      <>
        {name}
        <code className="soft xs block any">
          <Foreign>{url}</Foreign>
        </code>
        {last?.problem == null ? null : (
          <span className="small block bad">
            <Foreign>{last.problem}</Foreign>
          </span>
        )}
      </>
    ),
  },
  {
    title: 'Events',
    look: 'wide',
    cell: ({ events }) => (
      <span className="soft small">{events.length > 4 ? many(events.length, 'type of event', 'types of events') : events.join(', ')}</span>
    ),
  },
]

const at = ({ id }: Webhook) => ({ params: { path: { webhook: id } } })

const actions: readonly RowAction<Webhook>[] = [
  {
    ...{ label: 'Test', sending: 'Testing …' },
    run: async (webhook) => {
      const { status, problem } = dataOf(await api.POST('/api/v1/webhooks/{webhook}/test', at(webhook)))
      changed(['webhooks'])
      if (problem !== null) throw new Error(`The test was refused: ${problem}`)
      say(`${webhook.name} accepted the test (${status})`)
    },
  },
  {
    label: ({ paused }) => (paused ? 'Resume' : 'Pause'),
    run: async (webhook) => {
      dataOf(await api.POST(`/api/v1/webhooks/{webhook}/${webhook.paused ? 'resume' : 'pause'}`, at(webhook)))
      changed(['webhooks'])
    },
  },
  {
    label: 'Delete',
    confirm: ({ name }) => ({
      title: `Delete the webhook ${name}?`,
      act: 'Delete webhook',
      lost: 'Its secret is deleted, and pending deliveries are dropped.',
    }),
    run: async (webhook) => {
      dataOf(await api.DELETE('/api/v1/webhooks/{webhook}', at(webhook)))
      changed(['webhooks'])
    },
  },
]

/** Programs that receive events of the fleet. */
export function Webhooks() {
  const isOwner = useMay('owner')
  const webhooks = useData(['webhooks'], async () => dataOf(await api.GET('/api/v1/webhooks')).items, { everyMs: 15_000 })
  return (
    <Part id="webhooks" title="Webhooks" about="send events to other programs">
      <List
        query={webhooks}
        items={webhooks.data}
        keyOf={({ id }) => id}
        columns={columns}
        actions={isOwner ? actions : []}
        rows={2}
        empty={<p className="soft">There are no webhooks yet.</p>}
      />
      {isOwner ? <NewWebhook /> : <p className="soft small">Only owners can add and change webhooks.</p>}
    </Part>
  )
}

function NewWebhook() {
  return (
    <New
      title="New webhook"
      draft="webhook"
      act={['Add webhook', 'Adding …']}
      fields={[
        {
          ...{ key: 'name', label: 'Name' },
          input: { pattern: '[a-z0-9]([a-z0-9._\\-]{0,62}[a-z0-9])?', title: 'Lower-case letters, digits, . _ -' },
        },
        { key: 'url', label: 'URL', input: { type: 'url', placeholder: 'https://hooks.example.com/paddock' } },
        { key: 'events', label: 'Events', start: 'job.ended,job.waiting,job.budget', checks: eventKinds },
      ]}
      send={async ({ name, url, events }) => {
        const chosen = eventKinds.filter((each) => events.split(',').includes(each))
        const { secret } = dataOf(await api.POST('/api/v1/webhooks', { body: { name, url, events: chosen, secret: null } }))
        changed(['webhooks'])
        return { title: `The webhook ${name} was added.`, about: 'Deliveries are signed with this secret.', value: secret, what: 'secret' }
      }}
    />
  )
}
