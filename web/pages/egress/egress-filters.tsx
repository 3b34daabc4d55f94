import { useEffect, useRef, useState } from 'react'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { useKeys } from '../../parts/keys.ts'
import { useParameter } from '../../parts/page-address.ts'
import { State } from '../../parts/state.tsx'

/** Milliseconds after the last key press before the log is read for a name. */
const settleMs = 400

export function Filters() {
  const [decision, setDecision] = useParameter('decision')
  return (
    <div className="row">
      <fieldset className="chips one grow" aria-label="Decision">
        <button className="chip" type="button" aria-pressed={decision === ''} onClick={() => setDecision('')}>
          All
        </button>
        {['allowed', 'denied'].map((each) => (
          <button
            key={each}
            className="chip"
            type="button"
            aria-pressed={decision === each}
            onClick={() => setDecision(decision === each ? '' : each)}
          >
            <State of={each} />
          </button>
        ))}
      </fieldset>
      <AgentFilter />
      <HostFilter />
    </div>
  )
}

function AgentFilter() {
  const [agent, setAgent] = useParameter('agent')
  const agents = useData(
    ['agents', 'names'],
    async () => dataOf(await api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })).items,
  )
  const names = (agents.data ?? []).map(({ name }) => name)
  return (
    <select className="w-sm" aria-label="Agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
      <option value="">Any agent</option>
      {(agent === '' || names.includes(agent) ? names : [agent, ...names]).map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  )
}

function HostFilter() {
  const [host, setHost] = useParameter('host')
  const [text, setText] = useState(host)
  const field = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => field.current?.focus() })
  useEffect(() => setText(host), [host])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === host) return
    const timer = setTimeout(() => setHost(wanted.replace(/^-+|\s/g, '')), settleMs)
    return () => clearTimeout(timer)
  }, [text, host, setHost])
  return (
    <input
      ref={field}
      className="w-sm"
      aria-label="Host"
      placeholder="Host  /"
      value={text}
      maxLength={253}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
