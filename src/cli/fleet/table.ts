import { printable } from '../../text.ts'

/** Lines of a table for a terminal: each column as wide as its widest cell. What is printed is safe for a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head, ...rows.map((row) => row.map((cell) => printable(cell)))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
