import { memo, useMemo, useState } from 'react'
import { Foreign } from '../../parts/text.tsx'
import { visible } from '../../parts/visible.ts'
import { many } from '../../parts/words.ts'
import { changedWords, type Piece } from './changed-words.ts'
import type { Change } from './changes.ts'
import { type DiffLine, linesOf } from './diff-lines.ts'
import { Marks } from './marks.tsx'

/** Lines of one file that are drawn at first, and more at each wish. */
const [firstLines, moreLines] = [400, 2_000]

export interface Comment {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** What changed in one file. A click on the number of a line writes a comment on it. */
export const FileDiff = memo(function FileDiff({
  change,
  comments,
  onComment,
}: {
  readonly change: Change
  readonly comments: readonly Comment[]
  readonly onComment: ((comment: Comment) => void) | null
}) {
  const lines = useMemo(() => (change.diff === undefined ? [] : linesOf(change.diff)), [change.diff])
  const changed = useMemo(() => changedWords(lines), [lines])
  const [most, setMost] = useState(firstLines)
  const [writing, setWriting] = useState<number | null>(null)
  const own = comments.filter(({ path }) => path === change.path)
  return (
    <section className="card" id={`file-${change.path}`} aria-label={change.path}>
      <header>
        <code className="b path">
          <Foreign>{change.path}</Foreign>
        </code>
        <Marks change={change} />
        <Why change={change} />
      </header>
      {lines.length === 0 ? (
        <p className="pad soft small">{nothingToShow(change)}</p>
      ) : (
        <div className="diff">
          <table>
            <tbody>
              {lines.slice(0, most).map((line, n) => (
                <Line
                  key={n}
                  line={line}
                  pieces={changed.get(n) ?? null}
                  comment={own.find((each) => each.line === line.after) ?? null}
                  isWriting={line.after !== null && writing === line.after}
                  onWrite={onComment === null || line.after === null ? null : () => setWriting(writing === line.after ? null : line.after)}
                  onComment={(text) => {
                    if (line.after !== null) onComment?.({ path: change.path, line: line.after, text })
                    setWriting(null)
                  }}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {lines.length <= most ? null : (
        <p className="pad">
          <button className="btn" type="button" onClick={() => setMost(most + moreLines)}>
            Show {many(Math.min(moreLines, lines.length - most), 'more line', 'more lines')} of {lines.length - most}
          </button>
        </p>
      )}
    </section>
  )
})

function Line({
  line,
  pieces,
  comment,
  isWriting,
  onWrite,
  onComment,
}: {
  readonly line: DiffLine
  /** Null: it is one of no pair. */
  readonly pieces: readonly Piece[] | null
  readonly comment: Comment | null
  readonly isWriting: boolean
  readonly onWrite: (() => void) | null
  readonly onComment: (text: string) => void
}) {
  const look = { '+': 'a', '-': 'd', '@': 'h', '\\': 'h', ' ': undefined }[line.sign]
  return (
    <>
      <tr className={look}>
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
      {comment === null && !isWriting ? null : (
        <tr className="note">
          <td colSpan={4}>
            {isWriting ? <Write text={comment?.text ?? ''} onDone={onComment} /> : <Written comment={comment} onWrite={onWrite} />}
          </td>
        </tr>
      )}
    </>
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
          {text.trim() === '' ? 'Leave it without a comment' : 'Keep comment'}
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
    ...(baseMoved ? ['The project has something else here by now. Nothing is overwritten.'] : []),
    ...(link === null ? [] : [`A link to ${link}.`]),
  ]
  return parts.length === 0 ? null : <Foreign className="soft small">{parts.join(' ')}</Foreign>
}

function nothingToShow({ content, kind, mode }: Change): string {
  if (content === 'binary') return 'A binary file: its bytes are not shown.'
  if (content === 'too-large') return 'Too large to be shown.'
  if (content === 'unreadable') return 'It cannot be read.'
  if (kind === 'mode' && mode !== null) return 'Only its mode changed.'
  return kind === 'deleted' ? 'It was deleted.' : 'No difference is shown.'
}
