import { listed } from '../../base/text.ts'
import { type Finding, inPlayRule } from '../../credentials/scan/secret-finding.ts'

/** Returns a short text with the findings in one file, such as `line 3 (github token, ghp_…)`. */
export function secretWords(findings: readonly Finding[]): string {
  const words = findings.map((each) => {
    const what = each.rule === inPlayRule ? `${each.what}, which the cell had` : `${each.what}, ${each.masked}`
    return each.line === null ? what : `line ${each.line} (${what})`
  })
  return listed(words, 3)
}

/** Returns a line of a file with all text that looks like a secret masked. */
export function shownLine(text: string, line: number, findings: readonly Finding[]): string {
  const hidden: { readonly from: number; readonly to: number }[] = []
  for (const each of findings) {
    const last = each.endLine ?? each.line
    if (each.line === null || last === null || line < each.line || line > last || each.column === null || each.endColumn === undefined)
      continue
    // Columns of a secret that was in play are counted in bytes.
    const at = (column: number): number =>
      each.rule === inPlayRule
        ? Buffer.from(text)
            .subarray(0, column - 1)
            .toString().length
        : column - 1
    hidden.push({ from: line === each.line ? at(each.column) : 0, to: line === last ? at(each.endColumn) : text.length })
  }
  let [shown, end] = ['', 0]
  for (const { from, to } of hidden.sort((a, b) => a.from - b.from)) {
    if (to <= end) continue
    shown += `${text.slice(end, Math.max(from, end))}[hidden: it looks like a secret]`
    end = to
  }
  return shown + text.slice(end)
}
