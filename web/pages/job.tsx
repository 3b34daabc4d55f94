import { useEffect, useState } from 'react'
import { serverEvents } from '../../src/client/server-events.ts'
import { dataOf, useLoaded } from '../live.ts'
import { Ago, Pending, State, span, usd } from '../parts.tsx'
import { api, send } from '../session.ts'

/** One line of a transcript, as the server sends it. */
interface Line {
  readonly n: number
  readonly at: string
  readonly type: string
  readonly [key: string]: unknown
}

/** The newest lines that are shown; whoever wants all of them reads the transcript itself. */
const mostShown = 2_000

/** One job: what its agent says and does, as it happens, and what came of it. */
export function Job({ id }: { readonly id: string }) {
  const job = useLoaded(
    id,
    async () => dataOf(await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })),
    (event) => event.job === id,
  )
  const lines = useTranscript(id)
  const [problem, setProblem] = useState<string | null>(null)
  if (job.data === null) return <Pending {...job} />
  const { state, result, prompt, agent, endedAt } = job.data
  const cancel = async (): Promise<void> => {
    const { error } = await api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: id } } })
    setProblem(error === undefined ? null : ((error as { detail?: string }).detail ?? 'It could not be cancelled.'))
  }
  return (
    <div className="stack lg">
      <Pending {...job} />
      <section className="card pad stack" aria-label="Prompt">
        <p className="row">
          <State of={state} />
          <b>{agent ?? 'any agent that fits'}</b>
          <span className="soft">
            given <Ago at={job.data.createdAt} /> ago
          </span>
          {endedAt === null ? (
            <button className="btn end" type="button" onClick={() => void cancel()}>
              Cancel
            </button>
          ) : null}
        </p>
        <pre className="wrap">{prompt}</pre>
        {problem === null ? null : <p role="alert">{problem}</p>}
        {job.data.problem === null ? null : <p className="soft">{job.data.problem}</p>}
      </section>
      <section className="stack" aria-label="What it said and did" role="log">
        {lines.length >= mostShown ? <p className="soft">The newest {mostShown.toLocaleString('en')} events:</p> : null}
        {lines.map((each) => (
          <Event key={each.n} line={each} />
        ))}
      </section>
      {result === null ? null : (
        <section className="card pad stack" aria-label="Result">
          <dl className="kv">
            <dt>Time in its cell</dt>
            <dd>{span(result.cellMs)}</dd>
            <dt>Turns</dt>
            <dd>{result.turns}</dd>
            <dt>Cost</dt>
            <dd>{usd(result.costUsd)}</dd>
            {result.outcome.message === null ? null : (
              <>
                <dt>Outcome</dt>
                <dd>{result.outcome.message}</dd>
              </>
            )}
          </dl>
          {result.notes.map((each) => (
            <p key={each} className="soft">
              {each}
            </p>
          ))}
          <Files title="Created" paths={result.changes?.created ?? []} />
          <Files title="Changed" paths={result.changes?.modified ?? []} />
          <Files title="Runs on this machine later" paths={(result.changes?.runsLater ?? []).map(({ path }) => path)} />
          {result.copy === null ? null : (
            <>
              <p>Its changes are in a copy of the project. To look at them and apply them, run:</p>
              <pre className="cmd">{`paddock job review ${id}\npaddock job apply ${id}`}</pre>
            </>
          )}
        </section>
      )}
    </div>
  )
}

function Files({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null
  return (
    <div>
      <h2>{title}</h2>
      <ul className="files">
        {paths.slice(0, 200).map((each) => (
          <li key={each}>
            <i className="i i-file" />
            <span className="grow cut">{each}</span>
          </li>
        ))}
      </ul>
      {paths.length > 200 ? <p className="soft">and {paths.length - 200} more</p> : null}
    </div>
  )
}

/** Whatever an agent prints is text. */
function Event({ line }: { readonly line: Line }) {
  const text = (key: string): string => (typeof line[key] === 'string' ? line[key] : JSON.stringify(line[key] ?? null, null, 2))
  const body = ((): React.ReactNode => {
    switch (line.type) {
      case 'text':
        return <div className="say wrap">{text('text')}</div>
      case 'unknown':
        return <pre className="wrap">{text('line')}</pre>
      case 'tool-call':
        return (
          <details className="call">
            <summary>
              <i className="i i-tool" />
              <b>{text('name')}</b>
            </summary>
            <div className="io">
              <pre className="wrap">{text('input')}</pre>
            </div>
          </details>
        )
      case 'tool-result':
        return (
          <details className="call" open={line['ok'] !== true}>
            <summary>
              <i className="i i-term" />
              <b>result</b>
              <span className={`st xs st-${line['ok'] === true ? 'good' : 'bad'}`}>
                <i className={`i i-${line['ok'] === true ? 'done' : 'x'}`} />
                {line['ok'] === true ? 'ok' : 'failed'}
              </span>
            </summary>
            <div className="io">
              <pre className="wrap">{text('text')}</pre>
            </div>
          </details>
        )
      case 'error':
      case 'rate-limit':
      case 'login-needed':
        return (
          <p className="aside">
            <i className="i i-wait" />
            <span>{text('message')}</span>
          </p>
        )
      default:
        // Usage, cost and the like stand in the result.
        return null
    }
  })()
  if (body === null) return null
  return (
    <div className="ev" id={`e${line.n}`}>
      <time className="soft" dateTime={line.at} title={`Event ${line.n}`}>
        {new Date(line.at).toLocaleTimeString(undefined, { hourCycle: 'h23' })}
      </time>
      {body}
    </div>
  )
}

/** Follows a transcript to its end; after a gap it goes on behind the last line. */
function useTranscript(id: string): readonly Line[] {
  const [lines, setLines] = useState<readonly Line[]>([])
  useEffect(() => {
    const over = new AbortController()
    setLines([])
    const read = async (): Promise<void> => {
      let after = 0
      while (!over.signal.aborted) {
        try {
          const response = await send(new Request(`/api/v1/jobs/${id}/events?after=${after}`, { signal: over.signal }))
          if (response.status === 404 || response.body === null) return
          for await (const { event, data } of serverEvents(response.body)) {
            if (event === 'end') return
            if (event !== 'message') continue
            const line = JSON.parse(data) as Line
            after = line.n
            setLines((before) => [...before.slice(1 - mostShown), line])
          }
          if (response.ok) return
        } catch {
          // It is read on from there.
        }
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    }
    void read()
    return () => over.abort()
  }, [id])
  return lines
}
