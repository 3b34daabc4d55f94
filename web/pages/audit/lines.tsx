import { useState } from 'react'
import { useKeys } from '../../parts/keys.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Pending, Trouble } from '../../parts/notice.tsx'
import { type Place, useRows } from '../../parts/rows.tsx'
import { clock, count, exact, many } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { visible } from '../../parts/visible.ts'
import { type AuditLine, useLines } from './use-lines.ts'
import { what } from './what.ts'

/** The lines of the log, newest first. A row expands to the full line. */
export function Lines() {
  const { lines, isEnd, loadOlder, coming, begun, isFiltered } = useLines()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  useKeys({ r: begun.again })
  const toggle = (seq: number): void => {
    const next = new Set(open)
    if (!next.delete(seq)) next.add(seq)
    setOpen(next)
  }
  const rows = useRows(
    (lines ?? []).flatMap((line) => [{ line, isWhole: false }, ...(open.has(line.seq) ? [{ line, isWhole: true }] : [])]),
    'cards audit',
    { keyOf: ({ line: { seq }, isWhole }) => (isWhole ? `${seq}, whole` : seq) },
  )
  return (
    <>
      <Pending {...begun} rows={8} />
      {lines?.length === 0 ? (
        <Empty icon="audit" title={isFiltered ? 'No lines match' : 'The log is empty'}>
          <p>{isFiltered ? 'Remove a filter to see more.' : 'Cells, answers, credentials and changes to the fleet are recorded here.'}</p>
        </Empty>
      ) : null}
      {lines === null || lines.length === 0 ? null : (
        <div className="scroll">
          {coming === 0 ? null : (
            <div className="newrows">
              <button type="button" onClick={begun.again}>
                {many(coming, 'new row')}. Show <kbd>R</kbd>
              </button>
            </div>
          )}
          <table {...rows.table}>
            <thead>
              <tr>
                <th className="n">No.</th>
                <th>Time</th>
                <th>Actor</th>
                <th>Kind</th>
                <th>Subject</th>
                <th>Agent</th>
              </tr>
            </thead>
            <tbody>
              {rows.before}
              {rows.drawn.map(([{ line, isWhole }, place]) =>
                isWhole ? (
                  <Whole key={`${line.seq}, whole`} line={line} place={place} />
                ) : (
                  <Row key={line.seq} line={line} place={place} isOpen={open.has(line.seq)} onToggle={() => toggle(line.seq)} />
                ),
              )}
              {rows.after}
            </tbody>
          </table>
        </div>
      )}
      {loadOlder.problem === null ? null : <Trouble problem={loadOlder.problem} again={() => loadOlder.run()} />}
      {lines === null || lines.length === 0 || isEnd ? null : (
        <p>
          <button className="btn" type="button" disabled={loadOlder.isSending} onClick={() => loadOlder.run()}>
            {loadOlder.isSending ? 'Loading …' : 'Load older rows'}
          </button>
        </p>
      )}
    </>
  )
}

function Row({
  line,
  place,
  isOpen,
  onToggle,
}: {
  readonly line: AuditLine
  readonly place: Place
  readonly isOpen: boolean
  readonly onToggle: () => void
}) {
  const { origin } = line
  return (
    <tr {...place}>
      <td className="n soft hide">{count(line.seq)}</td>
      <td className="soft nw" title={exact(line.time)}>
        {clock(line.time)}
      </td>
      <td className="nw">
        <Foreign>{line.actor ?? 'user'}</Foreign>
      </td>
      <th scope="row" className="nw wide">
        <button className="unfold" type="button" aria-expanded={isOpen} onClick={onToggle}>
          {line.kind}
        </button>
      </th>
      <td className="wide about">
        <span className="cut block">
          <Foreign>{what(line)}</Foreign>
        </span>
      </td>
      <td className="soft wide nw">
        {origin?.agent == null ? (
          <Foreign>{origin?.name ?? '–'}</Foreign>
        ) : (
          <Link to={origin.job === null ? `/agents/${origin.agent}/jobs` : `/jobs/${origin.job}`}>{origin.agent}</Link>
        )}
      </td>
    </tr>
  )
}

/** The full line of an expanded row. */
function Whole({ line: { origin: _origin, ...written }, place }: { readonly line: AuditLine; readonly place: Place }) {
  return (
    <tr {...place}>
      <td className="hide" />
      <td colSpan={5} className="wrap wide">
        <pre className="xs soft">
          <bdi>{visible(JSON.stringify(written, null, 1))}</bdi>
        </pre>
      </td>
    </tr>
  )
}
