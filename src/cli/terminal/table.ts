import { printable } from '../../base/text.ts'

/** Returns the lines of a table. Columns have the width of their widest entry. Lines are cut to the terminal's width and made printable. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return columns([head, ...rows])
}

/** Returns the lines of a table without a header, as `table` does. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const all = rows.map((row) => row.map((cell) => printable(cell)))
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  // A terminal without a size, such as one of script(1), has 0 columns.
  const width = (process.stdout.isTTY === true && process.stdout.columns) || Number.POSITIVE_INFINITY
  return all.map((row) => {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
    return line.length <= width ? line : `${line.slice(0, width - 1)}…`
  })
}
