import { type FormEvent, useState } from 'react'
import { useAct } from '../../parts/act.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { useDraft } from '../../parts/draft.ts'
import { Trouble } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { Legend } from './legend.tsx'
import { Marks } from './marks.tsx'
import type { Change } from './review-changes.ts'
import type { Source } from './source.ts'

export interface Applying {
  /** The id of the changes, under which a draft of the message is stored. */
  readonly id: string
  readonly source: Source
  readonly changes: readonly Change[]
  readonly ticked: ReadonlySet<string>
  readonly current: string | null
  readonly onTick: (path: string) => void
  readonly onShow: (path: string) => void
  /** Called after changes were applied. These are then no longer listed. */
  readonly onDone: () => void
}

/** The files with checkboxes, and the actions for ticked files. */
export function Apply({ id, source, changes, ticked, current, onTick, onShow, onDone }: Applying) {
  const [message, setMessage, forget] = useDraft(`commit ${id}`)
  const [asked, setAsked] = useState<'discard' | 'secrets' | null>(null)
  const [isCommit, setCommit] = useState(true)
  const chosen = changes.filter(({ path }) => ticked.has(path))
  const secrets = chosen.filter((each) => each.secrets.length > 0)
  const apply = useAct(async (withCommit: boolean) => {
    const body = {
      paths: chosen.map(({ path }) => path),
      runLater: chosen.some(({ runsLater }) => runsLater !== null),
      allowSecrets: secrets.length > 0,
      ...(withCommit ? { commit: message.trim() === '' ? {} : { message } } : {}),
    }
    const isCommitted = await source.apply(body)
    forget()
    if (withCommit && isCommitted === false)
      throw new Error('The files were applied, but git did not commit them. Commit them in the project.')
    say(withCommit ? `${many(chosen.length, 'file')} applied and committed` : `${many(chosen.length, 'file')} applied`)
    onDone()
  })
  const discard = useAct(async () => {
    await source.discard?.()
    say('The copy was deleted')
    onDone()
  })
  const start = (withCommit: boolean): void => {
    setCommit(withCommit)
    if (secrets.length > 0) setAsked('secrets')
    else apply.run(withCommit)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen.length > 0) start(true)
  }
  const lines = changes.reduce((sum, { added, removed }) => sum + (added ?? 0) + (removed ?? 0), 0)
  return (
    <form className="card" id="apply" onSubmit={submit}>
      <header>
        <h2>Apply</h2>
        <span className="soft small end">
          {chosen.length} of {many(changes.length, 'file')}
        </span>
      </header>
      <ul className="files">
        {changes.map((change) => (
          <li key={change.path} aria-current={change.path === current ? 'true' : undefined}>
            <input
              type="checkbox"
              aria-label={`Apply ${change.path}`}
              checked={ticked.has(change.path)}
              disabled={change.baseMoved}
              onChange={() => onTick(change.path)}
            />
            <button className="link grow path" type="button" onClick={() => onShow(change.path)}>
              <span className="b">
                <Foreign>{change.path.slice(change.path.lastIndexOf('/') + 1)}</Foreign>
              </span>
              <span className="soft xs">
                <Foreign>{change.path.includes('/') ? change.path.slice(0, change.path.lastIndexOf('/')) : 'top level'}</Foreign>
              </span>
            </button>
            <Marks change={change} />
          </li>
        ))}
      </ul>
      <div className="pad stack">
        <Legend changes={changes} />
        {apply.problem === null && discard.problem === null ? null : <Trouble problem={apply.problem ?? discard.problem ?? ''} />}
        <div className="field">
          <label htmlFor="commit">Commit message</label>
          <textarea id="commit" rows={2} value={message} onChange={(event) => setMessage(event.target.value)} />
          <p className="hint">Your own commit, with your identity. No hook runs.</p>
        </div>
        <button className="btn main" type="submit" disabled={chosen.length === 0 || apply.isSending}>
          {apply.isSending ? 'Applying …' : `Apply ${many(chosen.length, 'file')} and commit`} <kbd>Ctrl ⏎</kbd>
        </button>
        <div className="row">
          <button className="btn grow" type="button" disabled={chosen.length === 0 || apply.isSending} onClick={() => start(false)}>
            Apply without commit
          </button>
          {source.discard === null ? null : (
            <button className="btn bad" type="button" disabled={discard.isSending} onClick={() => setAsked('discard')}>
              Discard …
            </button>
          )}
        </div>
      </div>
      {asked === 'discard' ? (
        <Confirm
          title="Delete the copy?"
          act={`Discard ${many(changes.length, 'file')}`}
          onClose={() => setAsked(null)}
          onAct={() => {
            setAsked(null)
            discard.run()
          }}
        >
          {many(changes.length, 'changed file')} with {many(lines, 'changed line')} are deleted with the copy of the project. The project
          itself is not changed.
        </Confirm>
      ) : null}
      {asked === 'secrets' ? (
        <Dialog label="Apply what looks like a secret" onClose={() => setAsked(null)}>
          <div className="pad stack">
            <h2>Apply what looks like a secret?</h2>
            <ul>
              {secrets.flatMap((each) =>
                each.secrets.map((found, n) => (
                  <li key={`${each.path} ${n}`}>
                    <code>
                      <Foreign>{each.path}</Foreign>
                    </code>
                    {found.line === null ? '' : `, line ${found.line}`}: <Foreign>{found.what}</Foreign>
                  </li>
                )),
              )}
            </ul>
            <p className="row">
              <button className="btn" type="button" autoFocus onClick={() => setAsked(null)}>
                Cancel
              </button>
              <button
                className="btn bad main end"
                type="button"
                onClick={() => {
                  setAsked(null)
                  apply.run(isCommit)
                }}
              >
                Apply {many(chosen.length, 'file')} anyway
              </button>
            </p>
          </div>
        </Dialog>
      ) : null}
    </form>
  )
}
