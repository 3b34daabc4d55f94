import { useRef, useState } from 'react'
import { useKeys } from '../../parts/keys.ts'
import { go, useParameter } from '../../parts/page-address.ts'
import { useRows } from '../../parts/rows.tsx'
import { many } from '../../parts/shown-text.ts'
import { useMay } from '../../who.ts'
import type { Doing } from './activity-text.ts'
import { FilterBar } from './filter-bar.tsx'
import { Heads, SortedBy } from './heads.tsx'
import { Row } from './row.tsx'
import { Selection } from './selection.tsx'
import { sortingOf } from './sorting.ts'
import { useChosen } from './use-chosen.ts'
import { useFilter } from './use-filter.ts'
import { useOrder } from './use-order.ts'

/** The number of agents above which idle and stopped ones are collapsed into one line. */
const mostUnfolded = 60
const resting: ReadonlySet<string> = new Set(['idle', 'stopped'])

/** A row for each agent that matches the filter, and the actions for selected agents. */
export function Agents({ agents }: { readonly agents: readonly Doing[] }) {
  const filter = useFilter()
  const [sort, setSort] = useParameter('sort', 'state')
  const sorting = sortingOf(sort)
  const order = useOrder(agents, sorting)
  const chosen = useChosen()
  const mayChoose = useMay('operator')
  const search = useRef<HTMLInputElement>(null)
  const [isUnfolded, setUnfolded] = useState(agents.length <= mostUnfolded)
  const [focus, setFocus] = useState<string | null>(null)
  const found = order.rows.filter(filter.holds)
  const folded = isUnfolded || !filter.isPlain ? [] : found.filter((each) => resting.has(each.state))
  const shown = folded.length === 0 ? found : found.filter((each) => !resting.has(each.state))
  const rows = useRows(shown, 'fleet cards', { keyOf: ({ id }) => id })
  const step = (by: number): void => {
    const at = shown.findIndex(({ id }) => id === focus)
    const to = Math.max(0, Math.min(shown.length - 1, at + by))
    const next = shown[to]
    if (next === undefined) return
    setFocus(next.id)
    rows.scrollTo(to)
  }
  const openFocused = (): void => {
    const name = shown.find(({ id }) => id === focus)?.name
    if (name !== undefined) go(`/agents/${name}/jobs`)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    Enter: openFocused,
    '/': () => search.current?.focus(),
    r: order.again,
    ...(mayChoose && focus !== null ? { x: () => chosen.turn(focus) } : {}),
  })
  return (
    <section className="stack" aria-label="Agents">
      <FilterBar agents={agents} filter={filter} search={search} />
      <SortedBy sort={sort} onSort={setSort} />
      <div className="scroll">
        {order.changed === 0 ? null : (
          <div className="newrows">
            <button type="button" onClick={order.again}>
              {many(order.changed, 'agent')} changed{sorting.by === 'state' ? ' state' : ''}. Sort again <kbd>r</kbd>
            </button>
          </div>
        )}
        <table {...rows.table}>
          <thead>
            <Heads sorting={sorting} />
          </thead>
          <tbody>
            {rows.before}
            {rows.drawn.map(([each, place]) => (
              <Row
                key={each.id}
                agent={each}
                place={place}
                isFocused={each.id === focus}
                isChosen={chosen.ids.has(each.id)}
                onChoose={mayChoose ? chosen.turn : null}
              />
            ))}
            {rows.after}
          </tbody>
        </table>
        {found.length === 0 ? <p className="soft pad">No agents match.</p> : null}
        {folded.length === 0 ? null : (
          <div className="newrows">
            <button type="button" onClick={() => setUnfolded(true)}>
              {many(folded.length, 'agent')} that rest: show
            </button>
          </div>
        )}
      </div>
      <Selection agents={agents.filter(({ id }) => chosen.ids.has(id))} onDrop={chosen.drop} />
    </section>
  )
}
