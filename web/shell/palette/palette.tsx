import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useState } from 'react'
import { useAct } from '../../parts/act.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { State } from '../../parts/state.tsx'
import { visible } from '../../parts/visible.ts'
import { type Entry, type Group, groups, useEntries } from './use-entries.ts'

/** The most entries of each group, and the first characters that limit the search to one group. */
const most = 5
const signs: Readonly<Record<string, Group>> = { '@': 'Agents', '>': 'Run', '#': 'Jobs' }

/** Finds an agent, a job or a page, and runs actions that have no keys. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const all = useEntries()
  const only = signs[words.charAt(0)]
  const parts = useMemo(
    () =>
      (only === undefined ? words : words.slice(1))
        .toLowerCase()
        .split(/\s+/)
        .filter((each) => each !== ''),
    [words, only],
  )
  const found = useMemo(() => {
    const fits = all.filter(({ text, id, about = '' }) => parts.every((each) => `${text} ${id} ${about}`.toLowerCase().includes(each)))
    return groups.flatMap((group) =>
      only === undefined || only === group
        ? fits.filter((each) => each.group === group).slice(0, only === undefined ? most : 4 * most)
        : [],
    )
  }, [all, parts, only])
  const at = Math.min(chosen, found.length - 1)
  const open = useAct(async ({ run, to }: Entry) => {
    await run?.()
    onClose()
    if (to !== undefined) go(to)
  })
  const run = (entry: Entry | undefined, { ctrlKey, metaKey }: KeyboardEvent | MouseEvent): void => {
    if (entry === undefined) return
    if (!(ctrlKey || metaKey) || entry.to === undefined) return open.run(entry)
    onClose()
    window.open(entry.to, '_blank', 'noopener')
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setChosen((at + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') run(found[at], event)
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Find or run" onClose={onClose}>
      <div className="pal">
        <input
          autoFocus
          role="combobox"
          aria-label="Find or run"
          aria-expanded="true"
          aria-controls="found"
          aria-activedescendant={found[at] === undefined ? undefined : `found-${found[at].id}`}
          placeholder="Agents, jobs, pages, actions"
          value={words}
          onChange={(event) => {
            setWords(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
        {open.problem === null ? null : <Trouble problem={open.problem} />}
        <div className="p" id="found" role="listbox" aria-label="Found">
          {found.map((each, n) => (
            <Fragment key={`${each.group} ${each.id}`}>
              {found[n - 1]?.group === each.group ? null : (
                <div className="ph" role="presentation">
                  {each.group}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field */}
              <div
                id={`found-${each.id}`}
                className="found"
                role="option"
                tabIndex={-1}
                aria-selected={n === at}
                onClick={(event) => run(each, event)}
                onMouseMove={() => setChosen(n)}
              >
                <i className={`i i-${each.icon}`} />
                <span className="cut grow">
                  <bdi>{marked(each.text, parts)}</bdi>
                  {each.about === undefined ? null : <span className="soft small"> · {marked(each.about, parts)}</span>}
                </span>
                {each.state === undefined ? null : <State of={each.state} />}
                {each.keys === undefined ? null : <kbd>{each.keys}</kbd>}
              </div>
            </Fragment>
          ))}
          {found.length === 0 ? <p className="soft pad">Nothing matches.</p> : null}
        </div>
        <footer>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>⏎</kbd> open
          </span>
          <span>
            <kbd>Ctrl ⏎</kbd> new tab
          </span>
          <span>
            <kbd>&gt;</kbd> only actions
          </span>
          <span>
            <kbd>@</kbd> only agents
          </span>
          <span>
            <kbd>#</kbd> only jobs
          </span>
        </footer>
      </div>
    </Dialog>
  )
}

/** Returns the text with the first match of the input marked. */
function marked(text: string, parts: readonly string[]): ReactNode {
  const [part = ''] = parts
  const at = part === '' ? -1 : text.toLowerCase().indexOf(part)
  if (at < 0) return visible(text)
  return (
    <>
      {visible(text.slice(0, at))}
      <mark>{visible(text.slice(at, at + part.length))}</mark>
      {visible(text.slice(at + part.length))}
    </>
  )
}
