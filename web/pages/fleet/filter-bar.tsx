import type { Ref } from 'react'
import { StateName } from '../../parts/state.tsx'
import type { Doing } from './activity-text.ts'
import { states } from './agent-filter.ts'
import type { useFilter } from './use-filter.ts'

/** The states with their numbers of agents, and a field for other filters. */
export function FilterBar({
  agents,
  filter: { state, setState, text, setText, label, setLabel },
  search,
}: {
  readonly agents: readonly Doing[]
  readonly filter: ReturnType<typeof useFilter>
  readonly search: Ref<HTMLInputElement>
}) {
  return (
    <div className="row">
      <fieldset className="chips one grow" aria-label="State">
        <button className="chip" type="button" aria-pressed={state === ''} onClick={() => setState('')}>
          All <span className="n">{agents.length}</span>
        </button>
        {states.map((each) => {
          const number = agents.filter((one) => one.state === each).length
          return number === 0 && state !== each ? null : (
            <button
              key={each}
              className="chip"
              type="button"
              aria-pressed={state === each}
              onClick={() => setState(state === each ? '' : each)}
            >
              <StateName of={each} /> <span className="n">{number}</span>
            </button>
          )
        })}
        {label === '' ? null : (
          <button className="chip" type="button" aria-pressed="true" onClick={() => setLabel('')}>
            {label} <i className="i i-x" />
          </button>
        )}
      </fieldset>
      <input
        ref={search}
        className="w-md end filter"
        type="search"
        aria-label="Filter"
        placeholder="label:docs kind:claude …"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}
