import { useKeys } from '../../parts/keys.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Skeleton, Trouble } from '../../parts/notice.tsx'
import { type Place, useRows } from '../../parts/rows.tsx'
import { clock, exact, many } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import type { Decision } from './decisions.ts'
import type { Decisions } from './use-decisions.ts'

/** The decisions, newest first. While the pointer or the focus is in the table, its rows do not move. */
export function DecisionTable({
  rows,
  waiting,
  show,
  problem,
  again,
  isFiltered,
  onRead,
}: Decisions & { readonly isFiltered: boolean; readonly onRead: (isRead: boolean) => void }) {
  const decisions = useRows(rows ?? [], 'cards eg', { keyOf: ({ seq }) => seq })
  useKeys({ r: show })
  if (rows === null) return problem === null ? <Skeleton rows={8} /> : <Trouble problem={problem} again={again} />
  return (
    <>
      {problem === null ? null : <Trouble problem={problem} again={again} />}
      {rows.length === 0 && waiting === 0 ? (
        <Empty icon="egress" title={isFiltered ? 'No decisions match' : 'No cell has opened a connection yet'}>
          <p>{isFiltered ? 'Remove a filter to see more.' : 'Decisions of the gateways appear here as they happen.'}</p>
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it holds it, and does no more
        <div
          className="scroll"
          onPointerEnter={() => onRead(true)}
          onPointerLeave={(event) => onRead(event.currentTarget.contains(document.activeElement))}
          onFocus={() => onRead(true)}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) onRead(false)
          }}
        >
          {waiting === 0 ? null : (
            <div className="newrows">
              <button type="button" onClick={show}>
                Paused while you read: {many(waiting, 'new row')}. Show <kbd>R</kbd>
              </button>
            </div>
          )}
          <table {...decisions.table}>
            <thead>
              <tr>
                <th>Time</th>
                <th>Decision</th>
                <th>Host and port</th>
                <th>Agent</th>
                <th>Decided by</th>
              </tr>
            </thead>
            <tbody>
              {decisions.before}
              {decisions.drawn.map(([each, place]) => (
                <Row key={each.seq} decision={each} place={place} />
              ))}
              {decisions.after}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function Row({ decision: asked, place }: { readonly decision: Decision; readonly place: Place }) {
  const { at, decision, host, port, request, agent, cellName, job, by } = asked
  return (
    <tr {...place}>
      <td className="soft nw hide" title={exact(at)}>
        {clock(at)}
      </td>
      <td>
        <State of={decision} />
      </td>
      <td className="wide wrap">
        <code className="xs">
          <Foreign>{`${host}${port === null ? '' : `:${port}`}`}</Foreign>
        </code>
        {request === null ? null : (
          <code className="xs soft block">
            <Foreign>{request}</Foreign>
          </code>
        )}
      </td>
      <td className="nw">
        {agent === null ? (
          <span className="soft">
            <Foreign>{cellName ?? '–'}</Foreign>
          </span>
        ) : (
          <Link to={job === null ? `/agents/${agent}/jobs` : `/jobs/${job}`}>{agent}</Link>
        )}
      </td>
      <td className="wide soft">
        <Foreign>{by}</Foreign>
      </td>
    </tr>
  )
}
