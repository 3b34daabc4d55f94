import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { Link } from '../../parts/link.tsx'
import type { Company, Size } from './terminal-frames.ts'
import type { Blocked } from './terminal-silence.ts'

export type Status = 'connecting' | 'live' | 'catching up' | 'offline' | 'ended'

/** The icon, label and colour of each status. */
const looks: Readonly<Record<Status, readonly [icon: string, word: string, colour: string]>> = {
  connecting: ['sync', 'Connecting …', ' st-warn'],
  live: ['live', 'Live', ' st-good'],
  'catching up': ['sync', 'Catching up', ' st-warn'],
  offline: ['off', 'Offline', ' st-bad'],
  ended: ['stop', 'Ended', ''],
}

export interface Actions {
  take(): void
  release(): void
  detach(): void
  search(): void
  end(): void
  copy(): void
  paste(): void
  showQuiet(): void
  resizeText(by: number): void
  setForScreenReader(value: boolean): void
}

/** The agent of a terminal, the typing viewer, and the actions. */
export function Header({
  agent,
  session,
  status,
  company,
  size,
  fontSize,
  forScreenReader,
  quiet,
  actions,
  focusRef,
}: {
  /** The name of the agent; null if it is not known yet. */
  readonly agent: string | null
  readonly session: string
  readonly status: Status
  readonly company: Company | null
  readonly size: Size | null
  readonly fontSize: number
  readonly forScreenReader: boolean
  /** A blocked request that programs make all the time. It is named here, because a line over the screen would cover what they print. */
  readonly quiet: Blocked | null
  readonly actions: Actions
  readonly focusRef: RefObject<HTMLDivElement | null>
}) {
  const menu = useRef<HTMLDetailsElement>(null)
  const [icon, word, colour] = looks[status]
  const isOpen = status !== 'ended'
  // Without a connection, the typing viewer is not known.
  const isConnected = status === 'live' || status === 'catching up'
  const mayType = company?.mayType !== false
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || (event.target as HTMLElement).matches('input')) return
    const action = { d: actions.detach, '/': actions.search }[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  const chosen = (action: () => void) => (): void => {
    menu.current?.removeAttribute('open')
    action()
  }
  return (
    <div className="tbar" role="toolbar" aria-label="Terminal" ref={focusRef} tabIndex={-1} onKeyDown={onKey}>
      {agent === null ? null : (
        <Link className="crumb back" to={`/agents/${encodeURIComponent(agent)}/terminal`}>
          <bdi className="desk small">{agent}</bdi>
          <span className="sr">, leave the terminal</span>
        </Link>
      )}
      <h2 className="small" title={session}>
        <span className="sr">Session </span>
        {session.slice(0, 8)}
      </h2>
      <span className={`st${colour}`} role="status">
        <i className={`i i-${icon}`} />
        {word}
      </span>
      {status === 'offline' ? <span className="soft who">Reconnecting. You cannot type until then.</span> : null}
      {company === null || !isConnected ? null : (
        <span className="soft who">
          <i className="i i-keys" /> <Typist company={company} size={size} />
        </span>
      )}
      {company === null || !isConnected ? null : (
        <span className="soft">
          <i className="i i-eye" /> {company.viewers === 1 ? 'Only you are watching' : `${company.viewers} watching`}
        </span>
      )}
      {quiet === null ? null : (
        <button className="btn plain" type="button" title={quiet.sentence} onClick={actions.showQuiet}>
          <i className="i i-shield" />
          <span className="desk">{quiet.kind === 'title' ? 'Title not set' : 'Notification not shown'}</span>
          <span className="sr">. {quiet.sentence} Show it</span>
        </button>
      )}
      <span className="end row">
        <button className="btn desk" type="button" onClick={actions.search}>
          Search <kbd>/</kbd>
        </button>
        {company === null || !isOpen || !mayType ? null : company.isYou || !isConnected ? (
          <button className="btn" type="button" disabled={status !== 'live'} onClick={actions.release}>
            Hand over
          </button>
        ) : (
          <button className="btn main" type="button" disabled={status !== 'live'} onClick={actions.take}>
            Take over
          </button>
        )}
        <details className="more" ref={menu}>
          <summary className="btn">
            <i className="i i-more" />
            <span className="sr">More</span>
          </summary>
          <div className="menu card pad stack">
            <div className="row">
              <span className="grow">Text {fontSize} px</span>
              <button className="btn sq" type="button" aria-label="Smaller text" onClick={() => actions.resizeText(-1)}>
                −
              </button>
              <button className="btn sq" type="button" aria-label="Larger text" onClick={() => actions.resizeText(1)}>
                +
              </button>
            </div>
            <button className="btn phone" type="button" onClick={chosen(actions.search)}>
              Search
            </button>
            <button className="btn" type="button" onClick={chosen(actions.copy)}>
              Copy selection, or all
            </button>
            {company?.isYou === true && isOpen ? (
              <button className="btn" type="button" onClick={chosen(actions.paste)}>
                Paste
              </button>
            ) : null}
            <label className="row">
              <input
                type="checkbox"
                checked={forScreenReader}
                onChange={(event) => actions.setForScreenReader(event.currentTarget.checked)}
              />
              Screen reader mode
            </label>
            {company?.isYou === true && isOpen ? (
              <p className="soft small">
                All keys go to the program. Press <kbd>Ctrl ⇧ ↑</kbd> to leave it, then <kbd>d</kbd> to detach or <kbd>/</kbd> to search.
              </p>
            ) : null}
            {isOpen && mayType ? (
              <button className="btn bad" type="button" onClick={chosen(actions.end)}>
                End terminal …
              </button>
            ) : null}
          </div>
        </details>
        <button className="btn" type="button" onClick={actions.detach}>
          Detach <kbd>d</kbd>
        </button>
      </span>
    </div>
  )
}

function Typist({ company, size }: { readonly company: Company; readonly size: Size | null }) {
  const room = size === null ? '' : `, ${size.columns} × ${size.rows}`
  if (company.isYou)
    return (
      <>
        You are in control.
        <span className="desk"> The size is yours{room}.</span>
      </>
    )
  if (company.typist === null) return <>Nobody is in control.</>
  return (
    <>
      <bdi>{company.typist}</bdi> is in control.<span className="desk"> The size is theirs{room}.</span>
      {company.mayType === false ? ' You can only watch.' : ''}
    </>
  )
}
