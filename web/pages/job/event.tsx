import { memo } from 'react'
import { exact, short, span, usd } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import type { CallResult, Row } from './event-rows.ts'
import { Output } from './output.tsx'
import { Prose } from './prose.tsx'

/** One row of a transcript. `isOpen`: whether the input and output of a call are shown. */
export const Event = memo(function Event({
  row,
  startedAt,
  isOpen,
  onToggle,
  isPlain,
}: {
  readonly row: Row
  readonly startedAt: number
  readonly isOpen: boolean
  readonly onToggle: (n: number, isOpen: boolean) => void
  /** Whether the text is shown without Markdown. */
  readonly isPlain: boolean
}) {
  if (row.kind === 'turn')
    return (
      <div className="turn">
        {row.from === row.turn ? `Turn ${row.turn}` : `Turns ${row.from}–${row.turn}`} · {short(row.input)} tokens in · {short(row.output)}{' '}
        out{row.usd === null ? '' : ` · ${usd(row.usd)} so far`}
      </div>
    )
  return (
    <div className="ev" id={`e${row.n}`}>
      <time dateTime={row.at} title={`Event ${row.n}, ${exact(row.at)}`}>
        <a className="soft" href={`#e${row.n}`}>
          {sinceStart(Date.parse(row.at) - startedAt)}
        </a>
      </time>
      {row.kind === 'call' ? (
        <Call row={row} isOpen={isOpen} onToggle={onToggle} />
      ) : row.kind === 'trouble' ? (
        <div className="aside bad">
          <i className="i i-fail" />
          <Foreign className="grow">{row.text}</Foreign>
        </div>
      ) : (
        <div className="say">{row.kind === 'raw' || isPlain ? <Raw text={row.text} /> : <Prose text={row.text} />}</div>
      )}
    </div>
  )
})

function Raw({ text }: { readonly text: string }) {
  return text.length > 2_000 ? (
    <Output text={text} cap="Line" />
  ) : (
    <pre>
      <Foreign>{text}</Foreign>
    </pre>
  )
}

function Call({
  row,
  isOpen,
  onToggle,
}: {
  readonly row: Row & { readonly kind: 'call' }
  readonly isOpen: boolean
  readonly onToggle: (n: number, isOpen: boolean) => void
}) {
  return (
    <details className="call" open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        onClick={(event) => {
          // The page stores which calls are open, so that a row looks the same after it was scrolled out of view.
          event.preventDefault()
          onToggle(row.n, !isOpen)
        }}
      >
        <i className={`i i-${iconOf(row.name)}`} />
        <b>
          <Foreign>{row.name}</Foreign>
        </b>
        <code className="cut grow">
          <Foreign>{row.argument.replace(/\s+/g, ' ')}</Foreign>
        </code>
        <Outcome result={row.result} />
        {row.result === null ? null : <span className="soft xs nw">{took(Date.parse(row.result.at) - Date.parse(row.at))}</span>}
      </summary>
      {isOpen ? (
        <div className="io">
          <Output text={row.input} cap="Input" />
          {row.result === null ? <p className="soft">It has not returned.</p> : <Output text={row.result.text} cap="Output" />}
        </div>
      ) : null}
    </details>
  )
}

function Outcome({ result }: { readonly result: CallResult | null }) {
  if (result === null) return null
  return (
    <span className={`st xs st-${result.ok ? 'good' : 'bad'}`}>
      <i className={`i i-${result.ok ? 'done' : 'x'}`} />
      {result.ok ? 'ok' : 'failed'}
    </span>
  )
}

const icons: readonly (readonly [pattern: RegExp, icon: string])[] = [
  [/edit|patch|replace/i, 'edit'],
  [/read|write|file|notebook/i, 'file'],
  [/search|grep|glob|find|list|ls/i, 'search'],
  [/fetch|web|http|browser/i, 'egress'],
  [/bash|shell|exec|command|terminal|run/i, 'term'],
  [/ask|question/i, 'msg'],
  [/delegate|task|agent/i, 'fleet'],
]
const iconOf = (name: string): string => icons.find(([pattern]) => pattern.test(name))?.[1] ?? 'tool'

/** Returns the time since the start of the job, such as `1:30`. */
function sinceStart(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, String(seconds % 60).padStart(2, '0')]
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

function took(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, ms)} ms`
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : span(ms)
}
