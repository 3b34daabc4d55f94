import type { operations } from '../../../src/client/api.ts'
import type { Loaded } from '../../data.ts'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, type FormField, New } from '../../parts/form.tsx'
import { type Column, List, type RowAction } from '../../parts/list.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'

type Listed = operations['listVault']['responses']['200']['content']['application/json']
type Entry = Listed['items'][number]
type Key = 'name' | 'value' | 'hosts' | 'place'

const code = (text: string) => (
  <code className="xs any">
    <Foreign>{text}</Foreign>
  </code>
)

const columns: readonly Column<Entry>[] = [
  {
    ...{ title: 'Secret', isName: true },
    cell: ({ name }) => (
      <code>
        <Foreign>{name}</Foreign>
      </code>
    ),
  },
  { title: 'Place in a request', look: 'wide soft', cell: ({ place }) => code(placeText(place)) },
  { title: 'Hosts', look: 'wide', cell: ({ hosts }) => code(hosts.join(', ')) },
  {
    ...{ title: 'Set', look: 'soft hide' },
    cell: ({ updatedAt }) => (
      <>
        <Ago at={updatedAt} /> ago
      </>
    ),
  },
]

const actions: readonly RowAction<Entry>[] = [
  {
    label: 'Replace',
    dialog: ({ name }, close) => (
      <Dialog label={`Replace ${name}`} onClose={close}>
        <div className="pad">
          <Form
            title={`Replace ${name}`}
            draft={`secret ${name}`}
            act={['Replace secret', 'Saving …']}
            fields={fields(true)}
            send={(values) => set({ ...values, name })}
            onSent={close}
            onCancel={close}
          />
        </div>
      </Dialog>
    ),
  },
  {
    label: 'Remove',
    confirm: ({ name }) => ({
      title: `Remove ${name} from the vault?`,
      act: `Remove ${name}`,
      lost: 'Its value is deleted. Agents whose manifests use it will no longer start.',
    }),
    run: async ({ name }) => {
      dataOf(await api.DELETE('/api/v1/vault/{name}', { params: { path: { name } } }))
      changed(['vault'])
    },
  },
]

/** The secrets of the unlocked vault: names, hosts and places, but never values. */
export function Secrets({ query, items }: { readonly query: Loaded<unknown>; readonly items: Listed['items'] }) {
  return (
    <>
      <New title="New secret" draft="secret" act={['Add secret', 'Saving …']} fields={[nameField, ...fields(false)]} send={set} />
      <List
        query={query}
        items={items}
        keyOf={({ name }) => name}
        columns={columns}
        actions={actions}
        empty={<p className="soft">The vault is empty.</p>}
      />
      <p className="soft small">Values can be set and removed here, but never read. There is no way to recover the passphrase.</p>
    </>
  )
}

const nameField: FormField<Key> = {
  ...{ key: 'name', label: 'Name', hint: 'Manifests refer to it as vault:NAME.' },
  input: { pattern: '[A-Za-z0-9_][A-Za-z0-9._\\-]{0,63}' },
}

const fields = (isKnown: boolean): readonly FormField<Exclude<Key, 'name'>>[] => [
  { key: 'value', label: 'Value', hint: 'It is never shown again.', input: { type: 'password' } },
  {
    ...{ key: 'hosts', label: 'Hosts', input: { placeholder: 'api.example.com' } },
    ...(isKnown ? { isOptional: true, hint: 'Leave empty to keep them.' } : { hint: 'The only hosts that it is sent to.' }),
  },
  {
    ...{ key: 'place', label: 'Place in a request', isOptional: true, input: { placeholder: 'header:x-api-key' } },
    hint: `Leave empty ${isKnown ? 'to keep it.' : 'to use the place where the agent puts it.'}`,
  },
]

/** Stores a secret, or a new value of one. The value is only in its field and in one request. */
async function set({ name, value, hosts, place }: Readonly<Record<Key, string>>): Promise<null> {
  const list = hosts.split(/[\s,]+/).filter((each) => each !== '')
  const body = { value, ...(list.length === 0 ? {} : { hosts: list }), ...(place === '' ? {} : { place }) }
  dataOf(await api.PUT('/api/v1/vault/{name}', { params: { path: { name } }, body }))
  say(`${name} was saved`)
  changed(['vault'])
  return null
}

function placeText(place: Entry['place']): string {
  if (place === undefined) return 'where the agent puts it'
  if (place.in === 'basic') return `basic:${place.user}`
  return `${place.in}:${place.name}${place.in === 'query' || place.scheme === undefined ? '' : `=${place.scheme}`}`
}
