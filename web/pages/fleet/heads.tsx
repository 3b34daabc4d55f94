import { useSearchParams } from 'wouter'
import { Link } from '../../parts/link.tsx'
import { type Column, columns, pressed, type Sorting } from './sorting.ts'

/** The column heads. A click sorts by the column, and another click reverses the order. */
export function Heads({ sorting }: { readonly sorting: Sorting }) {
  const [search] = useSearchParams()
  const head = (column: Column, className?: string) => {
    const next = new URLSearchParams(search)
    const wanted = pressed(column, sorting)
    if (wanted === 'state') next.delete('sort')
    else next.set('sort', wanted)
    const direction = sorting.isDescending ? 'descending' : 'ascending'
    return (
      <th className={className} aria-sort={sorting.by === column ? direction : undefined}>
        <Link to={`/fleet${next.size === 0 ? '' : `?${next}`}`}>{columns[column].title}</Link>
      </th>
    )
  }
  return (
    <tr>
      {head('state')}
      {head('agent')}
      <th>Now</th>
      <th className="hide">Recent jobs</th>
      {head('queue', 'n hide')}
      {head('today', 'n')}
    </tr>
  )
}

/** The choice of a column on a phone, where the heads are not shown. */
export function SortedBy({ sort, onSort }: { readonly sort: string; readonly onSort: (sort: string) => void }) {
  return (
    <select className="phone" aria-label="Sorted by" value={sort === '' ? 'state' : sort} onChange={({ target }) => onSort(target.value)}>
      {(Object.keys(columns) as Column[]).flatMap((each) => [
        <option key={each} value={each}>
          By {columns[each].title.toLowerCase()}
        </option>,
        <option key={`-${each}`} value={`-${each}`}>
          By {columns[each].title.toLowerCase()}, reversed
        </option>,
      ])}
    </select>
  )
}
