import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Empty, Notice, Pending } from '../../parts/notice.tsx'
import { Ago } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'
import { Capabilities } from './capabilities.tsx'
import { Claims } from './claims.tsx'
import { Failing } from './failing.tsx'
import { TryNow } from './try-now.tsx'

/** The guarantees that were observed to hold on this machine, and the restrictions that it can enforce. */
export function Guarantees() {
  const seen = useData(['guarantees'], async () => dataOf(await api.GET('/api/v1/guarantees')))
  // The test continues on the server, even if the page is closed.
  useData(['guarantees'], async () => dataOf(await api.GET('/api/v1/guarantees')), {
    wanted: seen.data?.state === 'running',
    everyMs: 2_000,
  })
  const { state, result, startedAt, problem } = seen.data ?? { state: null, result: null, startedAt: null, problem: null }
  return (
    <Page title="Guarantees here" actions={<TryNow isRunning={state === 'running'} />}>
      <div className="stack lg">
        <Pending {...seen} rows={4} />
        {state === 'running' ? (
          <Notice tone="run">
            <b>Every guarantee is being tested in real cells.</b> It takes about a minute. It started <Ago at={startedAt} /> ago.
            {result === null ? '' : ' The results below are from the last time.'}
          </Notice>
        ) : null}
        {problem === null ? null : <Notice tone="bad">The guarantees could not be tried: {problem}</Notice>}
        {state === 'never' ? (
          <Empty icon="shield" title="Nothing has been tested since the server started" command="paddock verify">
            <p>
              Each guarantee has a probe that tries to break it inside real cells on this machine. “Try to break them now” runs all of them.
            </p>
          </Empty>
        ) : null}
        {result === null ? null : (
          <>
            <Failing result={result} />
            <Claims result={result} />
          </>
        )}
        <Capabilities />
      </div>
    </Page>
  )
}
