import { html, type Markup } from './page/markup.ts'
import { cell } from './report-markdown.ts'

/** The places that show a table. */
type Place = 'terminal' | 'markdown' | 'page'

/** A column of a table, which each place draws in its own way. */
export interface Column<Row> {
  /** Its head in each place that shows it; or one head for the Markdown report and the page. */
  readonly head: string | Readonly<Partial<Record<Place, string>>>
  readonly text: (row: Row) => string
  /** The value by which the page sorts; by default it sorts by the text. */
  readonly sort?: (row: Row) => string | number | null
  /** What the page shows instead of the text. */
  readonly html?: (row: Row) => Markup
  /** What the page shows after the head. */
  readonly headMark?: Markup
  /** Whether the Markdown report shows it in bold. */
  readonly isBold?: boolean
  /** The classes of its cells, and of its head, in the page's style sheet. */
  readonly class?: string
  readonly headClass?: string
  /** Its name before each value on a narrow screen. */
  readonly label?: string
}

const headIn = (place: Place, { head }: Column<never>): string | undefined =>
  typeof head === 'string' ? (place === 'terminal' ? undefined : head) : head[place]

function shown<Row>(place: Place, columns: readonly Column<Row>[]): (Column<Row> & { readonly name: string })[] {
  return columns.flatMap((each) => {
    const name = headIn(place, each as Column<never>)
    return name === undefined ? [] : [{ ...each, name }]
  })
}

/** Returns a table of GitHub Flavored Markdown. */
export function markdownTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const own = shown('markdown', columns)
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const cells = (row: Row): string[] => own.map(({ text, isBold = false }) => (isBold ? `**${cell(text(row))}**` : cell(text(row)) || '–'))
  return [line(own.map(({ name }) => cell(name))), line(own.map(() => '---')), ...rows.map((row) => line(cells(row)))]
}

/** Returns the head and the rows of a table for a terminal. */
export function terminalTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly [string[], string[][]] {
  const own = shown('terminal', columns)
  return [own.map(({ name }) => name), rows.map((row) => own.map(({ text }) => text(row)))]
}

/** Returns a table of a report's page, in a container that scrolls on a narrow screen. The first column names the row. */
export function pageTable<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  style: { readonly class?: string; readonly rowClass?: (row: Row) => string; readonly rowHead?: number } = {},
): Markup {
  const own = shown('page', columns)
  const at = style.rowHead ?? 0
  const attribute = (key: string, value: string | number | null | undefined): Markup | null =>
    value === undefined ? null : html` ${key}="${value ?? ''}"`
  const td = (row: Row, each: Column<Row>, index: number): Markup => {
    const content = each.html?.(row) ?? each.text(row)
    if (index === at) return html`<th scope="row">${content}</th>`
    return html`<td${attribute('class', each.class)}${attribute('data-l', each.label)}${attribute('data-v', each.sort?.(row))}>${content}</td>`
  }
  const line = (row: Row): Markup =>
    html`<tr${attribute('class', style.rowClass?.(row))}>${own.map((each, index) => td(row, each, index))}</tr>
`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table${attribute('class', style.class)}>
<thead><tr>${own.map((each) => html`<th${attribute('class', each.headClass)}>${each.name}${each.headMark ?? null}</th>`)}</tr></thead>
<tbody>${rows.map(line)}</tbody></table></div>`
}

/** A column of numbers. */
export const numeric = { class: 'n', headClass: 'n' } as const
