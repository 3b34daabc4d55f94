import type { components } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { Pending } from '../../parts/notice.tsx'
import { api } from '../../session.ts'
import { LoginLinks } from './login-links.tsx'
import { NewToken } from './new-token.tsx'
import { Token } from './token.tsx'

type Facts = components['schemas']['Token']

async function load(): Promise<readonly Facts[]> {
  const all: Facts[] = []
  let cursor: string | null = null
  do {
    const page: { items: Facts[]; next: string | null } = dataOf(
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

/** The tokens for access to this server from other machines. */
export function Tokens() {
  const tokens = useData(['tokens'], load, { everyMs: 30_000 })
  return (
    <div className="stack lg">
      <section className="stack" aria-labelledby="tokens">
        <div className="row">
          <h2 id="tokens">Tokens</h2>
          <span className="soft small">access to this server, in addition to signed-in browsers</span>
        </div>
        <NewToken />
        <Pending {...tokens} rows={3} />
        {tokens.data?.length === 0 ? (
          <p className="soft">There are no tokens yet. Commands on the server’s machine do not need one.</p>
        ) : null}
        {tokens.data === null || tokens.data.length === 0 ? null : (
          <div className="scroll">
            <table className="cards wrap">
              <thead>
                <tr>
                  <th>State</th>
                  <th>Name</th>
                  <th>Role</th>
                  <th>Last used</th>
                  <th>Expires</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {tokens.data.map((each) => (
                  <Token key={each.id} {...each} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      <LoginLinks />
    </div>
  )
}
