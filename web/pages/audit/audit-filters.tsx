import { useEffect, useRef, useState } from 'react'
import { kindFilters } from '../../../src/audit/event-kinds.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useKeys } from '../../parts/keys.ts'
import { useParameter } from '../../parts/page-address.ts'
import { Export } from './export.tsx'
import { useQuery } from './use-lines.ts'

/** Milliseconds after the last key press before the log is read again. */
const settleMs = 500

export function Filters() {
  const [kind, setKind] = useParameter('kind')
  const [agent, setAgent] = useParameter('agent')
  const agents = useData(
    ['agents', 'names'],
    async () => dataOf(await api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })).items,
  )
  const names = (agents.data ?? []).map(({ name }) => name)
  const groups = kindFilters.filter((each) => !each.includes('.'))
  return (
    <form className="row" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <select className="w-sm" aria-label="Kind" value={kind} onChange={(event) => setKind(event.target.value)}>
        <option value="">Any kind</option>
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            <option value={group}>all of {group}</option>
            {kindFilters
              .filter((each) => each.startsWith(`${group}.`))
              .map((each) => (
                <option key={each}>{each}</option>
              ))}
          </optgroup>
        ))}
        {kind === '' || kindFilters.includes(kind) ? null : <option>{kind}</option>}
      </select>
      <select className="w-sm" aria-label="Agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
        <option value="">Any agent</option>
        {(agent === '' || names.includes(agent) ? names : [agent, ...names]).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <From />
      <Text name="actor" label="Actor" placeholder="Actor" removed={/[^\w .@-]/g} />
      <Text name="cell" label="Id of a cell" placeholder="Cell" removed={/[^0-9a-f]/g} />
      <Text name="host" label="Host" placeholder="Host  /" removed={/^-+|\s/g} shortcut="/" />
      <Export query={useQuery().query} />
    </form>
  )
}

/** A filter for lines since a time, in the time zone of this browser. */
function From() {
  const [value, setValue] = useParameter('from')
  const at = new Date(value)
  const isKnown = !Number.isNaN(at.getTime())
  const local = isKnown ? new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16) : ''
  return (
    <input
      type="datetime-local"
      className="w-sm"
      aria-label="From"
      title="From"
      value={local}
      onChange={(event) => setValue(event.target.value === '' ? '' : new Date(event.target.value).toISOString())}
    />
  )
}

/** A text filter. `removed` matches the characters to remove from the input. */
function Text({
  name,
  label,
  placeholder,
  removed,
  shortcut,
}: {
  readonly name: string
  readonly label: string
  readonly placeholder: string
  readonly removed: RegExp
  readonly shortcut?: string
}) {
  const [value, setValue] = useParameter(name)
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useKeys(shortcut === undefined ? {} : { [shortcut]: () => field.current?.focus() })
  useEffect(() => setText(value), [value])
  useEffect(() => {
    const wanted = text.trim().replaceAll(removed, '')
    if (wanted === value) return
    const timer = setTimeout(() => setValue(wanted), settleMs)
    return () => clearTimeout(timer)
  }, [text, value, setValue, removed])
  return (
    <input
      ref={field}
      className="w-sm grow"
      aria-label={label}
      placeholder={placeholder}
      maxLength={100}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
