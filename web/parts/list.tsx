import { type ReactNode, useState } from 'react'
import type { Loaded } from '../data.ts'
import { useAct } from './act.ts'
import { Confirm } from './dialog.tsx'
import { Pending, Trouble } from './notice.tsx'

export interface Column<Item> {
  readonly title: string
  readonly cell: (item: Item) => ReactNode
  /** Classes of the cells: `hide` and `wide` for small windows, `n` for numbers. */
  readonly look?: string
  /** True: the cell names its row, and errors of the row's actions are shown in it. */
  readonly isName?: true
  /** True: small windows show the title in front of the cell. */
  readonly isLabelled?: true
  readonly hover?: (item: Item) => string
}

/** An action of a row: it runs at once, after a confirmation, or in a dialog of its own. */
export type RowAction<Item> = {
  readonly label: string | ((item: Item) => string)
  readonly isFor?: (item: Item) => boolean
} & (
  | {
      readonly run: (item: Item) => Promise<void>
      readonly sending?: string
      /** Asks first. `act`: a verb with its object; `lost`: what will be lost. */
      readonly confirm?: (item: Item) => { readonly title: string; readonly act: string; readonly lost: string }
    }
  | { readonly dialog: (item: Item, close: () => void) => ReactNode }
)

/** A list of the server as a table. `query`: its loading; `items`: the shown part of it; `empty`: a note for an empty list. */
export function List<Item>({
  query,
  items,
  keyOf,
  columns,
  actions = [],
  empty,
  rows,
}: {
  readonly query: Loaded<unknown>
  readonly items: readonly Item[] | null | undefined
  readonly keyOf: (item: Item) => string
  readonly columns: readonly Column<Item>[]
  readonly actions?: readonly RowAction<Item>[]
  readonly empty: ReactNode
  readonly rows?: number
}) {
  return (
    <>
      <Pending {...query} {...(rows === undefined ? {} : { rows })} />
      {items == null ? null : items.length === 0 ? (
        empty
      ) : (
        <div className="scroll">
          <table className="cards wrap">
            <thead>
              <tr>
                {columns.map(({ title, look }) => (
                  <th key={title} className={look}>
                    {title}
                  </th>
                ))}
                {actions.length === 0 ? null : (
                  <th>
                    <span className="sr">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {items.map((each) => (
                <Row key={keyOf(each)} item={each} columns={columns} actions={actions} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function Row<Item>({
  item,
  columns,
  actions,
}: {
  readonly item: Item
  readonly columns: readonly Column<Item>[]
  readonly actions: readonly RowAction<Item>[]
}) {
  const [open, setOpen] = useState<number | null>(null)
  const [sent, setSent] = useState<number | null>(null)
  const act = useAct(async (n: number) => {
    const action = actions[n]
    if (action !== undefined && 'run' in action) await action.run(item)
  })
  const close = (): void => setOpen(null)
  const start = (n: number): void => {
    close()
    setSent(n)
    act.run(n)
  }
  const shown = open === null ? undefined : actions[open]
  const asked = shown !== undefined && 'run' in shown ? shown.confirm?.(item) : undefined
  return (
    <tr>
      {columns.map(({ title, cell, look, isName, isLabelled, hover }) =>
        isName ? (
          <th key={title} scope="row" className={look} title={hover?.(item)}>
            {cell(item)}
            {act.problem === null ? null : <Trouble problem={act.problem} />}
          </th>
        ) : (
          <td key={title} className={look} title={hover?.(item)} data-l={isLabelled ? title : undefined}>
            {cell(item)}
          </td>
        ),
      )}
      {actions.length === 0 ? null : (
        <td className="wide">
          <span className="row">
            {actions.map((each, n) => {
              if (each.isFor?.(item) === false) return null
              const label = typeof each.label === 'string' ? each.label : each.label(item)
              const [asks, sending] = 'run' in each ? [each.confirm !== undefined, each.sending] : [false, undefined]
              const press = (): void => (asks || 'dialog' in each ? setOpen(n) : start(n))
              return (
                <button key={label} className={`btn${asks ? ' bad' : ''}`} type="button" disabled={act.isSending} onClick={press}>
                  {act.isSending && sent === n && sending !== undefined ? sending : `${label}${asks ? ' …' : ''}`}
                </button>
              )
            })}
          </span>
          {shown !== undefined && 'dialog' in shown ? shown.dialog(item, close) : null}
          {asked === undefined || open === null ? null : (
            <Confirm title={asked.title} act={asked.act} onClose={close} onAct={() => start(open)}>
              <p>{asked.lost}</p>
            </Confirm>
          )}
        </td>
      )}
    </tr>
  )
}
