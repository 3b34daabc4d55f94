import type { operations } from '../../../src/client/api.ts'
import { changed, dataOf, Problem, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Empty, Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { Until } from '../../parts/time.tsx'
import { Secrets } from './secrets.tsx'
import { Unlock } from './unlock.tsx'

type Listed = operations['listVault']['responses']['200']['content']['application/json']
type Known = { readonly state: 'open'; readonly vault: Listed } | { readonly state: 'locked' | 'none' }

async function load(): Promise<Known> {
  try {
    return { state: 'open', vault: dataOf(await api.GET('/api/v1/vault')) }
  } catch (error) {
    if (error instanceof Problem && error.code === 'VAULT_LOCKED') return { state: 'locked' }
    if (error instanceof Problem && error.code === 'NOT_FOUND') return { state: 'none' }
    throw error
  }
}

/** Your own secrets: names, hosts and places, but never values. */
export function Vault() {
  const vault = useData(['vault'], load, { everyMs: 30_000 })
  const lock = useAct(async () => {
    dataOf(await api.POST('/api/v1/vault/lock'))
    changed(['vault'])
  })
  const known = vault.data
  return (
    <section className="stack" aria-labelledby="vault">
      <div className="row">
        <h2 id="vault">Vault</h2>
        {known?.state === 'locked' ? <State of="locked" /> : null}
        {known?.state === 'open' ? (
          <>
            <State of="unlocked" />
            {known.vault.until === null ? (
              <span className="soft small">unlocked by the machine’s keyring</span>
            ) : (
              <span className="soft small">
                <Until at={known.vault.until} /> left
              </span>
            )}
            <button className="btn end" type="button" disabled={lock.isSending} onClick={() => lock.run()}>
              <i className="i i-lock" />
              {lock.isSending ? 'Locking …' : 'Lock now'}
            </button>
          </>
        ) : null}
      </div>
      {lock.problem === null ? null : <Trouble problem={lock.problem} />}
      {known?.state === 'open' ? null : <Pending {...vault} rows={3} />}
      {known?.state === 'none' ? (
        <Empty icon="lock" title="There is no vault yet" command="paddock vault init">
          <p>It keeps secrets, and cells get placeholders for them. To create it and choose its passphrase, run on the server’s machine:</p>
        </Empty>
      ) : null}
      {known?.state === 'locked' ? <Unlock /> : null}
      {known?.state === 'open' ? <Secrets query={vault} items={known.vault.items} /> : null}
    </section>
  )
}
