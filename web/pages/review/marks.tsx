import type { Change } from './review-changes.ts'

/** Warnings about a file before it is applied. */
export function Marks({ change }: { readonly change: Change }) {
  return (
    <>
      {change.kind === 'added' ? (
        <span className="mark good">
          <i className="i i-plus" />
          NEW
        </span>
      ) : null}
      {change.kind === 'deleted' ? <span className="mark bad">DELETED</span> : null}
      {change.runsLater === null ? null : (
        <span className="mark warn">
          <i className="i i-later" />
          RUNS LATER
        </span>
      )}
      {change.secrets.length === 0 ? null : (
        <span className="mark bad">
          <i className="i i-key" />
          SECRET
        </span>
      )}
      {change.baseMoved ? (
        <span className="mark warn">
          <i className="i i-fail" />
          BASE MOVED
        </span>
      ) : null}
      {change.mode === null ? null : (
        <span className="mark">
          MODE {change.mode.from} → {change.mode.to}
        </span>
      )}
      {change.content === 'binary' ? <span className="mark">BINARY</span> : null}
      {change.added === null && change.removed === null ? null : (
        <span className="pm">
          <b className="good">+{change.added ?? 0}</b> <b className="bad">−{change.removed ?? 0}</b>
        </span>
      )}
    </>
  )
}
