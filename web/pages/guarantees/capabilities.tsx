import type { operations } from '../../../src/client/api.ts'
import { dataOf, queries, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Commands } from '../../parts/commands.tsx'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { useMay } from '../../who.ts'

type Machine = operations['getCapabilities']['responses']['200']['content']['application/json']

/** The restrictions that this machine can enforce, from the last check. */
export function Capabilities() {
  const may = useMay('operator')
  const machine = useData(['capabilities'], async () => dataOf(await api.GET('/api/v1/capabilities')))
  const look = useAct(async () => {
    queries.setQueryData(['capabilities'], dataOf(await api.POST('/api/v1/capabilities')))
  })
  return (
    <section className="stack" aria-labelledby="machine">
      <div className="row">
        <h2 id="machine">What this machine can enforce</h2>
        {machine.data === null ? null : <span className="soft small">{machine.data.system}</span>}
        {may ? (
          <span className="end">
            <button className="btn" type="button" disabled={look.isSending} onClick={() => look.run()}>
              <i className="i i-sync" />
              {look.isSending ? 'Looking …' : 'Check again'}
            </button>
          </span>
        ) : null}
      </div>
      {look.problem === null ? null : <Trouble problem={look.problem} />}
      <Pending {...machine} rows={4} />
      {machine.data === null ? null : <Known {...machine.data} />}
    </section>
  )
}

function Known({ checks, egress, limits, agents }: Machine) {
  return (
    <div className="two">
      <section className="card" aria-labelledby="checks">
        <header>
          <h3 id="checks">Cells</h3>
        </header>
        <ul className="plain pad">
          {checks.map(({ name, ok, detail, hint }) => (
            <Checked key={name} ok={ok} title={name} detail={detail} hint={hint} />
          ))}
        </ul>
      </section>
      <section className="card" aria-labelledby="policies">
        <header>
          <h3 id="policies">Egress</h3>
        </header>
        <ul className="plain pad">
          {egress.map(({ modes, ok, detail, hint }) => (
            <Checked key={modes.join()} ok={ok} title={modes.join(', ')} detail={detail} hint={hint} />
          ))}
        </ul>
      </section>
      <section className="card" aria-labelledby="limits">
        <header>
          <h3 id="limits">Limits</h3>
        </header>
        <ul className="plain pad">
          {limits.map(({ limit, mechanism, gap }) => (
            <Checked key={limit} ok={gap === undefined} title={limit} detail={mechanism} hint={gap} />
          ))}
        </ul>
      </section>
      <section className="card" aria-labelledby="clis">
        <header>
          <h3 id="clis">Agents</h3>
        </header>
        <ul className="plain pad">
          {agents.map(({ name, installed, version, tried, hint }) => (
            <li key={name}>
              <i className={`i i-${installed ? 'done good' : 'idle soft'}`} />
              <span>
                <b>{name}</b> <span className="soft small">{installed ? (version ?? 'installed') : 'not installed'}</span>
                {installed && !tried ? <span className="small block warn">Paddock has not been tested with it.</span> : null}
                {installed || hint === '' ? null : <code className="xs block any">{hint}</code>}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function Checked({
  ok,
  title,
  detail,
  hint,
}: {
  readonly ok: boolean
  readonly title: string
  readonly detail: string
  readonly hint: string | undefined
}) {
  return (
    <li>
      <i className={`i i-${ok ? 'done good' : 'fail warn'}`} />
      <span>
        <b>{title}</b> {ok ? null : <State of="missing" />}
        <span className="small block">{detail}</span>
        {hint === undefined ? null : (
          <span className="small block warn any">
            <Commands in={hint} />
          </span>
        )}
      </span>
    </li>
  )
}
