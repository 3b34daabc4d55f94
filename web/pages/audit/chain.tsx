import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Copy } from '../../parts/copy.tsx'
import { Notice, Pending } from '../../parts/notice.tsx'
import { clock, many } from '../../parts/shown-text.ts'

/** Whether the log is unchanged. */
export function Chain() {
  const verdict = useData(['audit', 'verify'], async () => dataOf(await api.GET('/api/v1/audit/verify')))
  if (verdict.data === null) return <Pending {...verdict} rows={1} />
  const { whole, lines, head, problem, notes } = verdict.data
  const again = (
    <button className="btn" type="button" onClick={verdict.again}>
      Verify again
    </button>
  )
  return (
    <>
      {verdict.problem === null ? null : <Pending {...verdict} />}
      <Notice
        tone={whole ? 'good' : 'bad'}
        actions={
          <>
            {again}
            {head === null ? null : <Copy text={head.hash} label="Copy the last hash" />}
          </>
        }
      >
        <b>{whole ? 'The log is intact.' : 'The log was changed.'}</b> {many(lines, 'line')}, checked at{' '}
        {clock(new Date(verdict.at).toISOString())}.
        {head === null ? null : (
          <>
            {' '}
            The last hash is <code title={head.hash}>{`${head.hash.slice(0, 8)}…${head.hash.slice(-4)}`}</code>.
          </>
        )}
        {problem === null ? null : (
          <span className="block">
            {[problem.file, problem.line === null ? null : `line ${problem.line}`].filter((each) => each !== null).join(', ')}:{' '}
            {problem.message} ({problem.kind})
          </span>
        )}
        {notes.map((each) => (
          <span key={each} className="block small">
            {each}
          </span>
        ))}
      </Notice>
    </>
  )
}
