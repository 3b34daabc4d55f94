import { memo, useMemo, useState } from 'react'
import { useData } from '../../data.ts'
import { Trouble } from '../../parts/notice.tsx'
import { type Place, useRows } from '../../parts/rows.tsx'
import { Foreign } from '../../parts/text.tsx'
import { visible } from '../../parts/visible.ts'
import { useMay } from '../../who.ts'
import { changedWords, type Piece } from './changed-words.ts'
import { type DiffLine, linesOf } from './diff-lines.ts'
import { Marks } from './marks.tsx'
import type { Change } from './review-changes.ts'

export interface Comment {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** The changes of one file. A click on a line number opens a comment on the line. */
export const FileDiff = memo(function FileDiff({
  whole: loads,
  change,
  mostLines,
  comments,
  onComment,
}: {
  /** Loads the diff with all lines of the file; null if that is not possible. */
  readonly whole: { readonly key: Parameters<typeof useData>[0]; readonly load: () => Promise<string> } | null
  readonly change: Change
  /** The number of lines above which only those near the window are drawn. */
  readonly mostLines: number
  readonly comments: readonly Comment[]
  readonly onComment: ((comment: Comment) => void) | null
}) {
  const [isWhole, setWhole] = useState(false)
  const mayWhole =
    useMay('operator') && loads !== null && change.content === 'text' && change.kind === 'modified' && change.diff !== undefined
  const whole = useData(loads?.key ?? ['none'], () => loads?.load() ?? Promise.resolve(''), {
    wanted: isWhole && loads !== null,
  })
  const diff = isWhole && whole.data !== null ? whole.data : change.diff
  const lines = useMemo(() => (diff === undefined ? [] : linesOf(diff)), [diff])
  const changed = useMemo(() => changedWords(lines), [lines])
  const [writing, setWriting] = useState<number | null>(null)
  const own = comments.filter(({ path }) => path === change.path)
  // A comment is a separate row under its line.
  const parts = lines.flatMap((line, n) => {
    const comment = line.after === null ? undefined : own.find((each) => each.line === line.after)
    const hasNote = comment !== undefined || (line.after !== null && writing === line.after)
    return [{ line, n, isNote: false, comment }, ...(hasNote ? [{ line, n, isNote: true, comment }] : [])]
  })
  const rows = useRows(parts, '', { keyOf: ({ n, isNote }) => (isNote ? `${n}, note` : n), most: mostLines, height: 19, head: 0 })
  return (
    <section className="card" id={`file-${change.path}`} aria-label={change.path}>
      <header>
        <code className="b path">
          <Foreign>{change.path}</Foreign>
        </code>
        <Marks change={change} />
        <Why change={change} />
        {mayWhole ? (
          <button className="btn end" type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole && whole.data === null && whole.problem === null ? 'Loading …' : 'Whole file'}
          </button>
        ) : null}
      </header>
      {isWhole && whole.problem !== null ? <Trouble problem={whole.problem} again={whole.again} /> : null}
      {lines.length === 0 ? (
        <p className="pad soft small">{nothingToShow(change)}</p>
      ) : (
        <div className="diff">
          <table {...rows.table}>
            <tbody>
              {rows.before}
              {rows.drawn.map(([{ line, n, isNote, comment }, place]) => {
                const write =
                  onComment === null || line.after === null ? null : () => setWriting(writing === line.after ? null : line.after)
                return isNote ? (
                  <tr key={`${n}, note`} className="note" {...place}>
                    <td colSpan={4}>
                      {writing === line.after ? (
                        <Write
                          text={comment?.text ?? ''}
                          onDone={(text) => {
                            if (line.after !== null) onComment?.({ path: change.path, line: line.after, text })
                            setWriting(null)
                          }}
                        />
                      ) : (
                        <Written comment={comment ?? null} onWrite={write} />
                      )}
                    </td>
                  </tr>
                ) : (
                  <Line key={n} line={line} place={place} pieces={changed.get(n) ?? null} onWrite={write} />
                )
              })}
              {rows.after}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
})

function Line({
  line,
  place,
  pieces,
  onWrite,
}: {
  readonly line: DiffLine
  readonly place: Place
  /** The pieces of the line; null if the line is not part of a pair. */
  readonly pieces: readonly Piece[] | null
  readonly onWrite: (() => void) | null
}) {
  const look = { '+': 'a', '-': 'd', '@': 'h', '\\': 'h', ' ': undefined }[line.sign]
  return (
    <tr className={look} {...place}>
      <td className="l">{line.before}</td>
      <td className="l">
        {onWrite === null ? (
          line.after
        ) : (
          <button className="link" type="button" aria-label={`Comment on line ${line.after}`} onClick={onWrite}>
            {line.after}
          </button>
        )}
      </td>
      <td className="s">{line.sign === '+' || line.sign === '-' ? line.sign : ''}</td>
      <td>{pieces === null ? <Foreign>{line.text}</Foreign> : <bdi>{pieces.map(marked)}</bdi>}</td>
    </tr>
  )
}

function marked({ text, isChanged }: Piece, n: number) {
  return isChanged ? <mark key={n}>{visible(text)}</mark> : visible(text)
}

function Written({ comment, onWrite }: { readonly comment: Comment | null; readonly onWrite: (() => void) | null }) {
  return (
    <>
      <b>Your comment on line {comment?.line}</b> <span className="soft xs">not sent yet</span>{' '}
      <button className="link" type="button" onClick={onWrite ?? undefined}>
        Change
      </button>
      <br />
      {comment?.text}
    </>
  )
}

function Write({ text: before, onDone }: { readonly text: string; readonly onDone: (text: string) => void }) {
  const [text, setText] = useState(before)
  return (
    <div className="stack">
      <textarea aria-label="Comment" rows={2} autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      <p className="row">
        <button className="btn" type="button" onClick={() => onDone(text)}>
          {text.trim() === '' ? 'Close without a comment' : 'Save comment'}
        </button>
      </p>
    </div>
  )
}

function Why({ change: { runsLater, secrets, baseMoved, link } }: { readonly change: Change }) {
  const found = secrets.map(
    ({ line, what, masked }) => `${line === null ? '' : `line ${line}: `}${what}${masked === '' ? '' : `, ${masked}…`}`,
  )
  const parts = [
    ...(runsLater === null ? [] : [runsLater]),
    ...(found.length === 0 ? [] : [`Looks like a secret: ${found.join('; ')}.`]),
    ...(baseMoved ? ['The project has changed here since the copy. Nothing is overwritten.'] : []),
    ...(link === null ? [] : [`A link to ${link}.`]),
  ]
  return parts.length === 0 ? null : <Foreign className="soft small">{parts.join(' ')}</Foreign>
}

function nothingToShow({ content, kind, mode }: Change): string {
  if (content === 'binary') return 'This is a binary file, so its bytes are not shown.'
  if (content === 'too-large') return 'This file is too large to be shown.'
  if (content === 'unreadable') return 'This file cannot be read.'
  if (kind === 'mode' && mode !== null) return 'Only its mode changed.'
  return kind === 'deleted' ? 'It was deleted.' : 'No difference is shown.'
}
