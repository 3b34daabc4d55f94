import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** The number of rows above which only those near the window are drawn. */
const mostDrawn = 100
/** The height in pixels of a row that was not measured yet, and of the bar at the top of the window. */
const [rowHeight, topBar] = [37, 60]

/** Attributes of a table row with its position, for screen readers that see only some rows. The object only changes with the position. */
export interface Place {
  readonly ref?: Ref<HTMLTableRowElement>
  readonly 'data-index'?: number
  readonly 'aria-rowindex'?: number
}

export interface RowsOptions<Item> {
  readonly keyOf: (item: Item, n: number) => string | number
  /** The number of rows up to which the whole table is drawn. */
  readonly most?: number
  readonly height?: number
  /** The number of rows in the head. */
  readonly head?: number
}

/** The drawn rows of a table. `table`: properties of the table; `before` and `after` replace rows that are not drawn. */
export interface DrawnRows<Item> {
  readonly table: {
    readonly ref: Ref<HTMLTableElement>
    readonly className: string
    readonly 'aria-rowcount'?: number
  }
  readonly drawn: readonly (readonly [item: Item, place: Place, n: number])[]
  readonly before: ReactNode
  readonly after: ReactNode
  /** Scrolls no further than necessary to show row `n`. */
  readonly scrollTo: (n: number) => void
}

/** Returns all rows of a table or, if there are many, those near the window. */
export function useRows<Item>(
  items: readonly Item[],
  className: string,
  { keyOf, most = mostDrawn, height = rowHeight, head = 1 }: RowsOptions<Item>,
): DrawnRows<Item> {
  const isWindowed = items.length > most
  const table = useRef<HTMLTableElement>(null)
  const [margin, setMargin] = useState(0)
  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count: isWindowed ? items.length : 0,
    estimateSize: () => height,
    overscan: 20,
    scrollMargin: margin,
    scrollPaddingStart: topBar,
    getItemKey: (n) => {
      const item = items[n]
      return item === undefined ? n : keyOf(item, n)
    },
  })
  // Content above the table changes without this component, so the position is measured at every render, including those while scrolling.
  useLayoutEffect(() => {
    const body = table.current?.tBodies[0]
    if (isWindowed && body !== undefined) setMargin(Math.round(body.getBoundingClientRect().top + scrollY))
  })
  const places = useRef(new Map<number, Place>())
  const plain = useRef(new Map<number, Place>())
  const placeOf = (n: number): Place => {
    // A row that was measured before the list became short is still observed, and must keep its index.
    const kept = isWindowed ? places.current : plain.current
    const known = kept.get(n)
    if (known !== undefined) return known
    const place: Place = isWindowed ? { ref: virtual.measureElement, 'data-index': n, 'aria-rowindex': n + head + 1 } : { 'data-index': n }
    kept.set(n, place)
    return place
  }
  const scrollTo = useCallback(
    (n: number) =>
      isWindowed ? virtual.scrollToIndex(n, { align: 'auto' }) : table.current?.tBodies[0]?.rows[n]?.scrollIntoView({ block: 'nearest' }),
    [isWindowed, virtual],
  )
  if (!isWindowed)
    return {
      table: { ref: table, className },
      drawn: items.map((item, n) => [item, placeOf(n), n]),
      before: null,
      after: null,
      scrollTo,
    }
  const shown = virtual.getVirtualItems()
  return {
    table: { ref: table, className: `${className} windowed`, 'aria-rowcount': items.length + head },
    drawn: shown.flatMap(({ index }) => {
      const item = items[index]
      return item === undefined ? [] : [[item, placeOf(index), index] as const]
    }),
    before: <Gap height={(shown[0]?.start ?? margin) - margin} />,
    after: <Gap height={virtual.getTotalSize() - ((shown.at(-1)?.end ?? margin) - margin)} />,
    scrollTo,
  }
}

function Gap({ height }: { readonly height: number }) {
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr className="unshown" aria-hidden="true">
      <td style={{ height }} />
    </tr>
  )
}
