import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { New } from '../../parts/form.tsx'
import { type Column, List, type RowAction } from '../../parts/list.tsx'
import { Empty } from '../../parts/notice.tsx'
import { clock, usd } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { useMay } from '../../who.ts'
import type { Agent } from './agent-data.ts'

type Lease = components['schemas']['Lease']

const columns: readonly Column<Lease>[] = [
  { title: 'State', cell: ({ state }) => <State of={state} /> },
  { title: 'Lease', isName: true, cell: ({ name }) => name },
  {
    title: 'May use',
    cell: ({ tools, hasTopics, terminal }) =>
      [
        tools === null ? 'all tools' : tools.join(', ') || 'no tools',
        ...(hasTopics ? ['some topics'] : []),
        terminal === 'type' ? 'terminals' : 'terminals, view only',
      ].join(' · '),
  },
  {
    title: 'Used',
    cell: ({ spent, budget }) => `${usd(spent.usd)}${budget?.usd === undefined ? '' : ` of ${usd(budget.usd)}`}, ${spent.turns} turns`,
  },
  { title: 'Ends', look: 'nw', cell: ({ endedAt, expiresAt }) => clock(endedAt ?? expiresAt) },
]

const actions: readonly RowAction<Lease>[] = [
  {
    label: 'Revoke',
    isFor: ({ endedAt, revokedAt }) => endedAt === null && revokedAt === null,
    confirm: ({ name }) => ({
      title: `Revoke the lease ${name}?`,
      act: 'Revoke lease',
      lost: 'Its token stops working, and its jobs and terminals end immediately.',
    }),
    run: async ({ id }) => {
      dataOf(await api.DELETE('/api/v1/leases/{lease}', { params: { path: { lease: id } } }))
      changed(['leases'])
    },
  },
]

/** The leases of the agent: borrower, duration and limits. */
export function Leases({ agent }: { readonly agent: Agent }) {
  const isOwner = useMay('owner')
  const all = useData(['leases'], async () => dataOf(await api.GET('/api/v1/leases')).items, { wanted: isOwner })
  if (!isOwner) return <p className="soft">Only owners can lend agents and see their leases.</p>
  return (
    <div className="stack">
      <NewLease agent={agent} />
      <List
        query={all}
        items={all.data?.filter(({ agentId }) => agentId === agent.id)}
        keyOf={({ id }) => id}
        columns={columns}
        actions={actions}
        empty={
          <Empty
            icon="user"
            title="This agent is not lent to anyone"
            command={`paddock lease create ${agent.name} --name NAME --expires 7d`}
          >
            <p>
              A lease lends the agent to somebody else until a date, with a budget. It works for them in a separate workspace, home and
              memory.
            </p>
          </Empty>
        }
      />
    </div>
  )
}

function NewLease({ agent }: { readonly agent: Agent }) {
  return (
    <New
      title="Lend agent"
      draft={`lease ${agent.id}`}
      act={['Create lease', 'Creating …']}
      fields={[
        { key: 'name', label: 'Name', hint: 'Lower-case letters, digits and hyphens, such as docs-team' },
        { key: 'days', label: 'Days', start: '7', input: { type: 'number', min: 1, max: 365 } },
        {
          ...{ key: 'money', label: 'Budget in US dollars', isOptional: true },
          ...{ hint: 'For all its jobs together. Leave empty for no limit', input: { type: 'number', min: 0.01, step: 0.01 } },
        },
        {
          ...{ key: 'terminal', label: 'Terminal', start: 'read' },
          options: [
            ['read', 'watch terminals that you open'],
            ['type', 'open terminals and type'],
          ],
        },
      ]}
      send={async ({ name, days, money, terminal }) => {
        const body = {
          ...{ name, agent: agent.id, expires: `${days}d`, terminal: terminal as 'read' | 'type' },
          ...(money === '' ? {} : { budget: { usd: Number(money) } }),
        }
        const { token } = dataOf(await api.POST('/api/v1/leases', { body }))
        changed(['leases'])
        return { title: `The lease ${name} was created.`, about: 'Give this token to the borrower.', value: token, what: 'token' }
      }}
    >
      <p className="soft small">
        To choose tools and topics, use the command line: <code>paddock lease create --help</code>
      </p>
    </New>
  )
}
