import { useState } from 'react'
import { changed, dataOf } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { say } from '../../parts/toast.tsx'
import { useMay } from '../../who.ts'

const modes = ['allowlist', 'off', 'public', 'open'] as const
type Mode = (typeof modes)[number]

/** Runs all probes under one egress policy. */
export function TryNow({ isRunning }: { readonly isRunning: boolean }) {
  const may = useMay('operator')
  const [egress, setEgress] = useState<Mode>('allowlist')
  const verify = useAct(async () => {
    try {
      dataOf(await api.POST('/api/v1/guarantees/verify', { body: { egress } }))
    } catch (error) {
      say((error as Error).message)
    } finally {
      changed(['guarantees'])
    }
  })
  if (!may) return null
  return (
    <>
      <select className="w-sm desk" aria-label="Egress policy" value={egress} onChange={(event) => setEgress(event.target.value as Mode)}>
        {modes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <button className="btn main" type="button" disabled={isRunning || verify.isSending} onClick={() => verify.run()}>
        <i className="i i-play" />
        {isRunning ? (
          'Trying …'
        ) : (
          <span>
            Try <span className="desk">to break them </span>now
          </span>
        )}
      </button>
    </>
  )
}
