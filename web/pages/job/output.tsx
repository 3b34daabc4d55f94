import { useState } from 'react'
import { bytes, count, many } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'

/** The numbers of lines shown at first from the start and from the end, and the most characters of each part. */
const [headLines, tailLines, mostCharacters] = [12, 8, 8_000]
/** The most characters that are added to a page at once. */
const mostShown = 400_000

/** A long text: its start and its end, and the size of the omitted part. */
export function Output({ text, cap }: { readonly text: string; readonly cap: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text === '') return null
  const { head, left, tail } = isWhole ? { head: text.slice(0, mostShown), left: '', tail: '' } : parts(text)
  return (
    <>
      <p className="cap">{cap}</p>
      <pre>
        <Foreign>{head}</Foreign>
        {left === '' ? null : (
          <span className="gap">
            {left} left out ·{' '}
            <button className="link" type="button" onClick={() => setWhole(true)}>
              {text.length > mostShown ? `Show the first ${bytes(mostShown)} of ${bytes(text.length)}` : `Show all ${bytes(text.length)}`}
            </button>
          </span>
        )}
        {tail === '' ? null : <Foreign>{tail}</Foreign>}
      </pre>
    </>
  )
}

function parts(text: string): { readonly head: string; readonly left: string; readonly tail: string } {
  const isLong = text.length > 2 * mostCharacters
  // For a very long text, only the two ends are processed.
  const start = isLong ? text.slice(0, mostCharacters) : text
  const lines = start.split('\n')
  if (!isLong && lines.length <= headLines + tailLines + 2) return { head: text, left: '', tail: '' }
  const head = lines.slice(0, headLines).join('\n')
  const end = isLong ? text.slice(-mostCharacters) : text
  const tail = end.split('\n').slice(-tailLines).join('\n').slice(-mostCharacters)
  const between = text.length - head.length - tail.length
  const left = isLong ? bytes(between) : many(lines.length - headLines - tailLines, 'line')
  return { head, left: left || count(between), tail }
}
