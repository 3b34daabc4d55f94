import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { New } from '../../parts/form.tsx'
import { type Column, List, type RowAction } from '../../parts/list.tsx'
import { roleWords } from '../../parts/role-text.ts'
import { clock, exact } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Ago, useClock } from '../../parts/time.tsx'
import { LoginLinks } from './login-links.tsx'

type Token = components['schemas']['Token']
type Role = 'operator' | 'viewer' | 'owner'
const roles: readonly Role[] = ['operator', 'viewer', 'owner']
const dayMs = 86_400_000

async function load(): Promise<readonly Token[]> {
  const all: Token[] = []
  let cursor: string | null = null
  do {
    const page: { items: Token[]; next: string | null } = dataOf(
      await api.GET('/api/v1/tokens', { params: { query: { limit: 200, ...(cursor === null ? {} : { cursor }) } } }),
    )
    all.push(...page.items)
    cursor = page.next
  } while (cursor !== null && all.length < 2_000)
  // Valid tokens come first, and the newest first in each group.
  return all.sort(
    (one, other) => Number(one.revokedAt !== null) - Number(other.revokedAt !== null) || other.createdAt.localeCompare(one.createdAt),
  )
}

function Validity({ expiresAt, revokedAt }: Token) {
  const isOver = useClock((now) => expiresAt !== null && Date.parse(expiresAt) <= now)
  return <State of={revokedAt !== null ? 'revoked' : isOver ? 'expired' : 'active'} />
}

const columns: readonly Column<Token>[] = [
  { title: 'State', cell: (token) => <Validity {...token} /> },
  { title: 'Name', isName: true, cell: ({ name }) => name },
  {
    ...{ title: 'Role', look: 'wide' },
    cell: ({ role, lease }) => (
      <>
        {role}
        <span className="soft small block">{roleWords[lease === null ? role : 'borrower']}</span>
      </>
    ),
  },
  {
    ...{ title: 'Last used', isLabelled: true },
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <span className="soft">never</span>
      ) : (
        <>
          <Ago at={lastUsedAt} /> ago
        </>
      ),
  },
  {
    ...{ title: 'Expires', look: 'hide' },
    cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <span title={exact(expiresAt)}>{clock(expiresAt)}</span>),
  },
]

const actions: readonly RowAction<Token>[] = [
  {
    label: 'Revoke',
    isFor: ({ revokedAt }) => revokedAt === null,
    confirm: ({ name }) => ({
      title: `Revoke the token ${name}?`,
      act: `Revoke ${name}`,
      lost: 'Requests with it are refused immediately, and its open connections end. This cannot be undone.',
    }),
    run: async ({ id }) => {
      dataOf(await api.POST('/api/v1/tokens/{token}/revoke', { params: { path: { token: id } } }))
      changed(['tokens'])
    },
  },
]

/** The tokens for access to this server from other machines. */
export function Tokens() {
  const tokens = useData(['tokens'], load, { everyMs: 30_000 })
  return (
    <div className="stack lg">
      <section className="stack" aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        <NewToken />
        <List
          query={tokens}
          items={tokens.data}
          keyOf={({ id }) => id}
          columns={columns}
          actions={actions}
          rows={3}
          empty={<p className="soft">There are no tokens yet. Commands on the server’s machine do not need one.</p>}
        />
      </section>
      <LoginLinks />
    </div>
  )
}

function NewToken() {
  return (
    <New
      title="New token"
      draft="token"
      about="Access to this server, in addition to signed-in browsers."
      act={['Create token', 'Creating …']}
      fields={[
        {
          ...{ key: 'name', label: 'Name' },
          input: { pattern: '[a-z0-9]([a-z0-9._\\-]{0,62}[a-z0-9])?', title: 'Lower-case letters, digits, . _ -' },
        },
        {
          ...{ key: 'role', label: 'Role', start: 'operator', options: roles.map((each) => [each, each] as const) },
          hint: (role) => roleWords[role as Role],
        },
        {
          ...{ key: 'days', label: 'Expires', start: '90' },
          options: [...['30', '90', '365'].map((each) => [each, `in ${each} days`] as const), ['', 'never']],
        },
      ]}
      send={async ({ name, role, days }) => {
        const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString()
        const { token } = dataOf(await api.POST('/api/v1/tokens', { body: { name, role: role as Role, expiresAt } }))
        changed(['tokens'])
        return { title: `The token ${name} was created.`, about: 'Copy it now.', value: token, what: 'token' }
      }}
    />
  )
}
