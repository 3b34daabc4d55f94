import { Fragment, type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { dataOf, useData } from '../data.ts'
import { useInbox } from '../inbox.ts'
import { go } from '../parts/address.ts'
import { Dialog } from '../parts/dialog.tsx'
import { State } from '../parts/state.tsx'
import { visible } from '../parts/visible.ts'
import { wantFocus } from '../parts/wanted-focus.ts'
import { api, signOut } from '../session.ts'
import { useMay } from '../who.ts'
import { administration, work } from './places.ts'

interface Entry {
  readonly id: string
  readonly group: Group
  readonly icon: string
  readonly text: string
  readonly about?: string
  readonly state?: string
  readonly run: () => void
}
type Group = (typeof groups)[number]
const groups = ['Agents', 'Run', 'Jobs', 'Pages'] as const
/** Entries of each group, and signs with which only those of one are found. */
const most = 5
const signs: Readonly<Record<string, Group>> = { '@': 'Agents', '>': 'Run', '#': 'Jobs' }

/** Finds an agent, a job or a page, and runs what has no key of its own. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const isOwner = useMay('owner')
  const isOperator = useMay('operator')
  const inbox = useInbox().data
  const agents = useData(
    ['agents', 'palette'],
    async () => dataOf(await api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })).items,
  )
  const jobs = useData(['jobs', 'palette'], async () => dataOf(await api.GET('/api/v1/jobs', { params: { query: { limit: 50 } } })).items)
  const all = useMemo((): readonly Entry[] => {
    const to = (path: string) => () => go(path)
    const places = [...work, ...administration].filter(({ role }) => role === undefined || isOwner)
    return [
      ...(agents.data ?? []).map(({ id, name, state }) => ({
        id,
        group: 'Agents' as const,
        icon: 'fleet',
        text: name,
        state,
        run: to(`/agents/${name}`),
      })),
      ...places.map(({ name, title, icon }) => ({ id: name, group: 'Pages' as const, icon, text: title, run: to(`/${name}`) })),
      ...(jobs.data ?? []).map(({ id, promptStart, agent, state }) => ({
        id,
        group: 'Jobs' as const,
        icon: 'jobs',
        text: promptStart,
        ...(agent === null ? {} : { about: agent }),
        state,
        run: to(`/jobs/${id}`),
      })),
      ...(inbox ?? []).map(({ id, text }) => ({
        ...{ id: `answer-${id}`, group: 'Run' as const, icon: 'wait', text: `Answer: ${text}`, run: to(`/inbox/${id}`) },
      })),
      ...(isOperator ? (agents.data ?? []) : []).flatMap(({ id, name }) => [
        {
          ...{ id: `give-${id}`, group: 'Run' as const, icon: 'send', text: `Give work to ${name}` },
          run: () => {
            wantFocus('prompt', false)
            go(`/agents/${name}/jobs`)
          },
        },
        {
          id: `terminal-${id}`,
          group: 'Run' as const,
          icon: 'term',
          text: `Open a terminal in ${name}`,
          run: to(`/agents/${name}/terminal`),
        },
      ]),
      { id: 'new-agent', group: 'Run', icon: 'plus', text: 'New agent', run: to('/new-agent') },
      { id: 'sign-out', group: 'Run', icon: 'off', text: 'Sign out', run: () => void signOut().then(to('/login')) },
    ]
  }, [agents.data, jobs.data, inbox, isOwner, isOperator])
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
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setChosen((at + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') run(found[at])
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
          placeholder="An agent, a job, a place, an action"
          value={words}
          onChange={(event) => {
            setWords(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
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
                onClick={() => run(each)}
                onMouseMove={() => setChosen(n)}
              >
                <i className={`i i-${each.icon}`} />
                <span className="cut grow">
                  <bdi>{marked(each.text, parts)}</bdi>
                  {each.about === undefined ? null : <span className="soft small"> · {marked(each.about, parts)}</span>}
                </span>
                {each.state === undefined ? null : <State of={each.state} />}
              </div>
            </Fragment>
          ))}
          {found.length === 0 ? <p className="soft pad">Nothing is called that.</p> : null}
        </div>
        <footer>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>⏎</kbd> open
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

/** The text, as text, with the first place of what was typed marked. */
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
