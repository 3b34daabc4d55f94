import { type KeyboardEvent, useMemo, useState } from 'react'
import { dataOf, useData } from '../data.ts'
import { go } from '../parts/address.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Foreign } from '../parts/text.tsx'
import { api, signOut } from '../session.ts'
import { useMay } from '../who.ts'
import { administration, work } from './places.ts'

interface Entry {
  readonly id: string
  readonly group: 'Agents' | 'Jobs' | 'Places' | 'Do'
  readonly icon: string
  readonly text: string
  readonly about?: string
  readonly run: () => void
}
const most = 12

/** Finds an agent, a job or a place, and runs what has no key of its own. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const isOwner = useMay('owner')
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
        about: state,
        run: to(`/agents/${name}`),
      })),
      ...places.map(({ name, title, icon }) => ({ id: name, group: 'Places' as const, icon, text: title, run: to(`/${name}`) })),
      ...(jobs.data ?? []).map(({ id, promptStart, agent, state }) => ({
        id,
        group: 'Jobs' as const,
        icon: 'jobs',
        text: promptStart,
        about: [agent, state].filter((each) => each !== null).join(' · '),
        run: to(`/jobs/${id}`),
      })),
      { id: 'new-agent', group: 'Do', icon: 'plus', text: 'New agent', run: to('/new-agent') },
      { id: 'sign-out', group: 'Do', icon: 'x', text: 'Sign out', run: () => void signOut().then(to('/login')) },
    ]
  }, [agents.data, jobs.data, isOwner])
  const found = useMemo(() => {
    const parts = words
      .toLowerCase()
      .split(/\s+/)
      .filter((each) => each !== '')
    return all.filter(({ text, id }) => parts.every((each) => `${text} ${id}`.toLowerCase().includes(each))).slice(0, most)
  }, [all, words])
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
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
            <div
              key={`${each.group} ${each.id}`}
              id={`found-${each.id}`}
              className="found"
              role="option"
              tabIndex={-1}
              aria-selected={n === at}
              onClick={() => run(each)}
              onMouseMove={() => setChosen(n)}
            >
              <i className={`i i-${each.icon}`} />
              <Foreign className="cut grow">{each.text}</Foreign>
              <span className="soft small nw">{each.about ?? each.group}</span>
            </div>
          ))}
          {found.length === 0 ? <p className="soft pad">Nothing is called that.</p> : null}
        </div>
      </div>
    </Dialog>
  )
}
