import { type FormEvent, useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Copy } from '../../parts/copy.tsx'
import { Notice, Trouble } from '../../parts/notice.tsx'
import { roleWords } from '../../parts/roles.ts'
import { api } from '../../session.ts'

const roles = ['operator', 'viewer', 'owner'] as const
const days = [30, 90, 365] as const
const dayMs = 86_400_000

/** Creates a token, and shows it once. */
export function NewToken() {
  const [name, setName] = useState('')
  const [role, setRole] = useState<(typeof roles)[number]>('operator')
  const [expires, setExpires] = useState('90')
  const [made, setMade] = useState<{ readonly name: string; readonly token: string } | null>(null)
  const create = useAct(async () => {
    const expiresAt = expires === '' ? null : new Date(Date.now() + Number(expires) * dayMs).toISOString()
    const { token } = dataOf(await api.POST('/api/v1/tokens', { body: { name, role, expiresAt } }))
    setMade({ name, token })
    setName('')
    changed(['tokens'])
  })
  return (
    <>
      {made === null ? null : (
        <Notice
          tone="good"
          actions={
            <>
              <Copy text={made.token} label="Copy the token" />
              <button className="btn" type="button" onClick={() => setMade(null)}>
                Done
              </button>
            </>
          }
        >
          <b>The token {made.name} was created.</b> Copy it now. It will not be shown again. <code className="any">{made.token}</code>
        </Notice>
      )}
      <form
        className="row"
        aria-label="Create a token"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          create.run()
        }}
      >
        <input
          className="w-md"
          aria-label="Name of the token"
          placeholder="Name"
          required
          autoComplete="off"
          pattern="[a-z0-9]([a-z0-9._\-]{0,62}[a-z0-9])?"
          title="Lower-case letters, digits, . _ -"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <select className="w-sm" aria-label="Role" value={role} onChange={(event) => setRole(event.target.value as typeof role)}>
          {roles.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <select className="w-sm" aria-label="Expires" value={expires} onChange={(event) => setExpires(event.target.value)}>
          {days.map((each) => (
            <option key={each} value={each}>
              in {each} days
            </option>
          ))}
          <option value="">never</option>
        </select>
        <button className="btn main" type="submit" disabled={create.isSending}>
          {create.isSending ? 'Creating …' : 'Create token'}
        </button>
        <span className="soft small">{roleWords[role]}</span>
      </form>
      {create.problem === null ? null : <Trouble problem={create.problem} />}
    </>
  )
}
