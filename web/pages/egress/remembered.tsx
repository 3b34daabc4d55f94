import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { useApprovals, wish } from './approvals.ts'

/** The answers that hold for every cell. */
export function Remembered() {
  const remembered = useApprovals().data?.remembered ?? null
  // What went wrong stands above, where connections are held.
  if (remembered === null) return null
  return (
    <section className="card" aria-labelledby="remembered">
      <header>
        <h2 id="remembered">Remembered answers</h2>
      </header>
      {remembered.length === 0 ? (
        <p className="soft small pad">None. “Always allow” adds one, for every cell of this machine.</p>
      ) : (
        <>
          <ul className="files">
            {remembered.toReversed().map((each) => (
              <li key={`${wish(each)} ${each.request?.querySha256 ?? ''}`}>
                <State of={each.allowed ? 'allowed' : 'denied'} />
                <code className="grow xs any">
                  <Foreign>{wish(each)}</Foreign>
                </code>
                <span className="soft xs nw">
                  <Ago at={each.at} />
                </span>
              </li>
            ))}
          </ul>
          <p className="soft xs pad">
            To remove one, edit <code>approvals.json</code> in the configuration directory of the machine.
          </p>
        </>
      )}
    </section>
  )
}
