import { element } from './element.ts'

/** Makes each head of a table sort its rows. The second click reverses the order, and the third restores the original order. */
export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0]
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
  if (body === undefined) return
  const original = [...body.rows]
  for (const [column, head] of heads.entries()) {
    if (head.classList.contains('fixed') || head.textContent === '') continue
    const button = element('button', { type: 'button', class: 'sort' }, ...head.childNodes)
    head.append(button)
    button.addEventListener('click', () => {
      const now = next(head.getAttribute('aria-sort'), isNumber(original, column))
      for (const each of heads) each.removeAttribute('aria-sort')
      if (now !== null) head.setAttribute('aria-sort', now)
      const rows = now === null ? original : original.toSorted((a, b) => (now === 'ascending' ? 1 : -1) * compare(a, b, column))
      body.append(...rows)
    })
  }
}

/** Returns the next order after a click. Numbers start with the largest. */
function next(before: string | null, isNumeric: boolean): 'ascending' | 'descending' | null {
  const [first, second] = isNumeric ? (['descending', 'ascending'] as const) : (['ascending', 'descending'] as const)
  return before === null ? first : before === first ? second : null
}

function isNumber(rows: readonly HTMLTableRowElement[], column: number): boolean {
  return rows.some((row) => row.cells[column]?.dataset['v'] !== undefined)
}

function compare(a: HTMLTableRowElement, b: HTMLTableRowElement, column: number): number {
  const [one, other] = [a, b].map((row) => row.cells[column])
  if (one?.dataset['v'] === undefined) return (one?.textContent ?? '').localeCompare(other?.textContent ?? '')
  // Unknown values count as the smallest.
  const [x, y] = [one, other].map((each) => (each?.dataset['v'] ? Number(each.dataset['v']) : Number.NEGATIVE_INFINITY)) as [number, number]
  return x === y ? 0 : x - y
}
