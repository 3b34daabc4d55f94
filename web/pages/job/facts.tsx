import type { components } from '../../../src/client/api.ts'
import { changed, dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Commands } from '../../parts/commands.tsx'
import { Link } from '../../parts/link.tsx'
import { Trouble } from '../../parts/notice.tsx'
import { budgetText, clock, many, short, span, usd } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { useClock } from '../../parts/time.tsx'
import { useMay } from '../../who.ts'

export type WholeJob = components['schemas']['WholeJob']
type Job = components['schemas']['Job']

/** The facts of a job, its queued messages, and its changes. */
export function Facts({ job }: { readonly job: WholeJob }) {
  const { result } = job
  const ran = useClock((now) =>
    job.startedAt === null ? '' : span((job.endedAt === null ? now : Date.parse(job.endedAt)) - Date.parse(job.startedAt)),
  )
  return (
    <aside className="rail" aria-label="About this job">
      <section className="card">
        <header>
          <h2>Job {job.number}</h2>
          <span className="end">
            <State of={job.state} />
          </span>
        </header>
        <div className="pad stack">
          {job.problem === null ? null : (
            <p>
              <Foreign>{job.problem}</Foreign>
            </p>
          )}
          {result === null || result.outcome.message === null ? null : (
            <p>
              <Foreign>{result.outcome.message}</Foreign> {result.outcome.hint === null ? null : <Commands in={result.outcome.hint} />}
            </p>
          )}
          <dl className="kv">
            <dt>Id</dt>
            <dd>
              <code>{job.id}</code>
            </dd>
            <dt>Agent</dt>
            <dd>{job.agent === null ? 'any matching agent' : <Link to={`/agents/${job.agent}/jobs`}>{job.agent}</Link>}</dd>
            {result?.usage?.model == null ? null : (
              <>
                <dt>Model</dt>
                <dd>
                  <Foreign>{result.usage.model}</Foreign>
                </dd>
              </>
            )}
            <dt>Created</dt>
            <dd>
              {clock(job.createdAt)} by <Foreign>{job.requestedBy}</Foreign>
            </dd>
            {ran === '' ? null : (
              <>
                <dt>{job.endedAt === null ? 'Running for' : 'Duration'}</dt>
                <dd>{ran}</dd>
              </>
            )}
            {result === null ? null : (
              <>
                <dt>Cost</dt>
                <dd>{usd(result.costUsd)}</dd>
                <dt>Turns</dt>
                <dd>
                  {result.turns}, {many(result.toolCalls, 'tool call')}
                </dd>
              </>
            )}
            {job.budget === null ? null : (
              <>
                <dt>Budget</dt>
                <dd>{budgetText(job.budget)}</dd>
              </>
            )}
            {result?.usage == null ? null : (
              <>
                <dt>Tokens</dt>
                <dd>
                  {short(result.usage.input)} in ({short(result.usage.cachedInput)} cached), {short(result.usage.output)} out
                </dd>
              </>
            )}
            {result?.worktree == null ? null : (
              <>
                <dt>Branch</dt>
                <dd>
                  <code>{result.worktree.name}</code>
                  {result.toApply === 0 && (result.worktree.unmerged ?? 0) > 0 ? (
                    ', merged or deleted'
                  ) : (
                    <>
                      {result.worktree.unmerged === null ? null : `, ${many(result.toApply, 'commit')} to merge`}
                      {result.worktree.uncommitted === null || result.worktree.uncommitted === 0
                        ? null
                        : `, ${many(result.worktree.uncommitted, 'uncommitted file')}`}
                      : <code className="any">paddock job review {job.id}</code>
                    </>
                  )}
                </dd>
              </>
            )}
            {job.continues === null ? null : (
              <>
                <dt>Continues</dt>
                <dd>
                  <Link to={`/jobs/${job.continues}`}>{job.continues}</Link>
                </dd>
              </>
            )}
            {job.parent === null ? null : (
              <>
                <dt>For</dt>
                <dd>
                  <Link to={`/jobs/${job.parent}`}>{job.parent}</Link>
                </dd>
              </>
            )}
            {job.attempt <= 1 ? null : (
              <>
                <dt>Attempt</dt>
                <dd>{job.attempt}</dd>
              </>
            )}
          </dl>
          {(result?.notes ?? []).map((each) => (
            <p key={each} className="soft small">
              <Foreign>{each}</Foreign>
            </p>
          ))}
        </div>
      </section>
      <Messages job={job} />
      <Changes job={job} />
    </aside>
  )
}

/** Messages to this job, and to its messages, that have not started. */
function Messages({ job }: { readonly job: WholeJob }) {
  const agent = job.agent ?? ''
  const jobs = useData(
    ['jobs', 'queued', agent],
    async () => dataOf(await api.GET('/api/v1/jobs', { params: { query: { agent, state: 'queued', limit: 100 } } })).items,
    { wanted: agent !== '' },
  )
  const waiting = messagesOf(job.id, jobs.data ?? [])
  const mayChange = useMay('operator')
  const withdraw = useAct(async (id: string) => {
    dataOf(await api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: id } } }))
    changed(['jobs'])
  })
  if (waiting.length === 0) return null
  return (
    <section className="card">
      <header>
        <h2>Queued messages</h2>
        <span className="soft small end">{waiting.length}</span>
      </header>
      {withdraw.problem === null ? null : <Trouble problem={withdraw.problem} />}
      <ol className="queue">
        {waiting.map((each, n) => (
          <li key={each.id}>
            <span className="soft">{n + 1}</span>
            <Link className="grow cut" to={`/jobs/${each.id}`}>
              <Foreign>{each.promptStart}</Foreign>
            </Link>
            {mayChange ? (
              <button
                className="btn plain sq"
                type="button"
                aria-label={`Withdraw message ${n + 1}`}
                disabled={withdraw.isSending}
                onClick={() => withdraw.run(each.id)}
              >
                <i className="i i-x" />
              </button>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  )
}

function messagesOf(job: string, queued: readonly Job[]): readonly Job[] {
  const found: Job[] = []
  const ids = new Set([job])
  for (const each of [...queued].sort((one, other) => one.number - other.number))
    if (each.isMessage && each.continues !== null && ids.has(each.continues)) {
      ids.add(each.id)
      found.push(each)
    }
  return found
}

/** The most files listed next to the events. The review lists all of them. */
const mostFiles = 30

function Changes({ job: { id, result } }: { readonly job: WholeJob }) {
  const changes = result?.changes ?? null
  if (changes === null) return null
  const later = new Set(changes.runsLater.map(({ path }) => path))
  const files = [
    ...changes.created.map((path) => ({ path, mark: 'NEW' })),
    ...changes.modified.map((path) => ({ path, mark: null })),
    ...changes.deleted.map((path) => ({ path, mark: 'DELETED' })),
    ...changes.renamed.map(({ from, to }) => ({ path: `${from} → ${to}`, mark: 'RENAMED' })),
  ]
  if (files.length === 0) return <Git changes={changes} />
  return (
    <>
      <section className="card">
        <header>
          <h2>Files changed</h2>
          {result?.copy == null || result.toApply === 0 ? null : (
            <Link className="btn end" to={`/jobs/${id}/review`}>
              Review and apply
            </Link>
          )}
        </header>
        <ul className="files">
          {files.slice(0, mostFiles).map(({ path, mark }) => (
            <li key={path}>
              <i className="i i-file" />
              <Foreign className="grow path">{path}</Foreign>
              {mark === null ? null : <span className="mark">{mark}</span>}
              {later.has(path) ? (
                <span className="mark warn">
                  <i className="i i-later" />
                  RUNS LATER
                </span>
              ) : null}
            </li>
          ))}
        </ul>
        {files.length > mostFiles || changes.truncated ? (
          <p className="pad soft small">
            {changes.truncated ? 'Only some of the files are listed.' : `and ${many(files.length - mostFiles, 'more file', 'more files')}.`}
          </p>
        ) : null}
      </section>
      <Git changes={changes} />
    </>
  )
}

/** The branches, commits and stashes of a job. */
function Git({ changes }: { readonly changes: NonNullable<NonNullable<WholeJob['result']>['changes']> }) {
  if (changes.git.length === 0) return null
  return (
    <section className="card">
      <header>
        <h2>Git</h2>
      </header>
      {changes.git.map((each) => (
        <div key={each.workTree} className="pad stack">
          <p>
            {each.workTree === '.' ? null : <Foreign>{`${each.workTree}: `}</Foreign>}
            <Foreign>{each.branchAfter ?? 'no branch'}</Foreign>
            {each.branchAfter === each.branchBefore ? null : (
              <Foreign className="soft">{` (was ${each.branchBefore ?? 'no branch'})`}</Foreign>
            )}
            {each.inProgress === null ? null : <span className="mark warn">{each.inProgress.toUpperCase()} IN PROGRESS</span>}
            {each.stashes === 0 ? null : <span className="mark">{many(each.stashes, 'STASH', 'STASHES')}</span>}
          </p>
          {each.commitCount === null ? <p className="soft small">Its commits could not be read.</p> : null}
          {each.commits.slice(0, mostFiles).map((commit) => (
            <p key={commit.hash} className="small">
              <code>{commit.hash.slice(0, 10)}</code> <Foreign>{commit.subject}</Foreign>{' '}
              {commit.protected.length === 0 ? null : (
                <span className="mark warn">
                  <i className="i i-later" />
                  RUNS LATER: <Foreign>{commit.protected.join(', ')}</Foreign>
                </span>
              )}
            </p>
          ))}
          {(each.commitCount ?? 0) > Math.min(each.commits.length, mostFiles) ? (
            <p className="soft small">
              and {many((each.commitCount ?? 0) - Math.min(each.commits.length, mostFiles), 'more commit', 'more commits')}.
            </p>
          ) : null}
        </div>
      ))}
    </section>
  )
}
