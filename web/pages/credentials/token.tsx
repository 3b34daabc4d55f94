import { useState } from 'react'
import type { components } from '../../../src/client/api.ts'
import { changed, dataOf } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/notice.tsx'
import { roleWords } from '../../parts/roles.ts'
import { State } from '../../parts/state.tsx'
import { Ago, useClock } from '../../parts/time.tsx'
import { clock, exact } from '../../parts/words.ts'
import { api } from '../../session.ts'

export function Token({ id, name, role, lastUsedAt, expiresAt, revokedAt, lease }: components['schemas']['Token']) {
  const [isAsked, setAsked] = useState(false)
  const revoke = useAct(async () => {
    dataOf(await api.POST('/api/v1/tokens/{token}/revoke', { params: { path: { token: id } } }))
    setAsked(false)
    changed(['tokens'])
  })
  const isOver = useClock((now) => expiresAt !== null && Date.parse(expiresAt) <= now)
  const state = revokedAt !== null ? 'revoked' : isOver ? 'expired' : 'active'
  return (
    <tr>
      <td>
        <State of={state} />
      </td>
      <th scope="row">
        {name}
        {revoke.problem === null ? null : <Trouble problem={revoke.problem} />}
      </th>
      <td className="wide">
        {role}
        <span className="soft small block">{lease === null ? roleWords[role] : 'only what its lease allows'}</span>
      </td>
      <td data-l="Last used">
        {lastUsedAt === null ? (
          <span className="soft">never</span>
        ) : (
          <>
            <Ago at={lastUsedAt} /> ago
          </>
        )}
      </td>
      <td className="hide">{expiresAt === null ? 'never' : <span title={exact(expiresAt)}>{clock(expiresAt)}</span>}</td>
      <td className="wide">
        {revokedAt !== null ? null : (
          <button className="btn bad" type="button" onClick={() => setAsked(true)}>
            Revoke …
          </button>
        )}
        {isAsked ? (
          <Confirm
            title={`Revoke the token ${name}?`}
            act={`Revoke ${name}`}
            isSending={revoke.isSending}
            onAct={() => revoke.run()}
            onClose={() => setAsked(false)}
          >
            <p>Requests with it are refused immediately, and its open connections end. This cannot be undone.</p>
          </Confirm>
        ) : null}
      </td>
    </tr>
  )
}
