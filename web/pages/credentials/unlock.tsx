import { type FormEvent, useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Trouble } from '../../parts/notice.tsx'

const times = [
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['8h', '8 hours'],
  ['24h', '24 hours'],
] as const

/** Unlocks the vault for some time. The passphrase is only in this field and in one request. */
export function Unlock() {
  const [passphrase, setPassphrase] = useState('')
  const [time, setTime] = useState('8h')
  const unlock = useAct(async () => {
    try {
      dataOf(await api.POST('/api/v1/vault/unlock', { body: { passphrase, for: time } }))
      changed(['vault'])
    } finally {
      setPassphrase('')
    }
  })
  return (
    <form
      className="card pad stack"
      aria-label="Unlock the vault"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        unlock.run()
      }}
    >
      <p>While the vault is locked, jobs that need a secret from it wait or fail, and its names are not shown.</p>
      <div className="two sm">
        <div className="field">
          <label htmlFor="passphrase">Passphrase</label>
          <input
            id="passphrase"
            type="password"
            autoComplete="off"
            required
            value={passphrase}
            onChange={(event) => setPassphrase(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="time">Unlocked for</label>
          <select id="time" value={time} onChange={(event) => setTime(event.target.value)}>
            {times.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </div>
      {unlock.problem === null ? null : <Trouble problem={unlock.problem} />}
      <p>
        <button className="btn main" type="submit" disabled={unlock.isSending || passphrase === ''}>
          {unlock.isSending ? 'Unlocking …' : 'Unlock'}
        </button>
      </p>
    </form>
  )
}
