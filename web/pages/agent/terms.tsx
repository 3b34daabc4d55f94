import { Link } from '../../parts/link.tsx'
import { usd } from '../../parts/shown-text.ts'
import { Bar, State, Ticks } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import type { Doing } from '../fleet/activity-text.ts'
import type { Agent } from './agent-data.ts'

/** The agent's current work, and its limits. */
export function Terms({ agent, doing }: { readonly agent: Agent; readonly doing: Doing | null }) {
  const { workspace, budgets = {} } = agent.manifest
  return (
    <aside className="rail" aria-label="Now">
      <section className="card">
        <header>
          <h2>Now</h2>
          {doing === null ? null : (
            <span className="end">
              <State of={doing.state} />
            </span>
          )}
        </header>
        <div className="pad stack">
          {doing?.now == null ? null : (
            <p>
              <Foreign>{doing.now.text}</Foreign>{' '}
              <span className="soft small nw">
                <Ago at={doing.now.at} /> ago
              </span>
            </p>
          )}
          {doing?.last == null || doing.now === null ? null : <Link to={`/jobs/${doing.last.id}`}>Show its job</Link>}
          <dl className="kv">
            <dt>Running</dt>
            <dd>{agent.running}</dd>
            <dt>Queue</dt>
            <dd>{agent.queued}</dd>
            <dt>Recent jobs</dt>
            <dd>
              <Ticks states={doing?.recent ?? []} />
            </dd>
            <dt>Works in</dt>
            <dd>
              <Foreign>{worksIn(workspace)}</Foreign>
            </dd>
            <dt>Today</dt>
            <dd>
              {usd(doing?.spentUsd)}
              {budgets.day?.usd === undefined ? '' : ` of ${usd(budgets.day.usd)}`}
            </dd>
          </dl>
          {doing === null || doing.budgetUsd === null ? null : (
            <Bar used={doing.spentUsd} of={doing.budgetUsd} label={`${usd(doing.spentUsd)} of ${usd(doing.budgetUsd)} today`} />
          )}
          {agent.manifest.notes === undefined ? null : (
            <p className="soft small">
              <Foreign>{agent.manifest.notes}</Foreign>
            </p>
          )}
        </div>
      </section>
    </aside>
  )
}

function worksIn(workspace: Agent['manifest']['workspace']): string {
  if (workspace === undefined || workspace === 'own') return 'its own directory'
  if ('copy' in workspace) return `copies of ${workspace.copy}`
  return 'worktree' in workspace ? `work trees of ${workspace.worktree}` : workspace.project
}
