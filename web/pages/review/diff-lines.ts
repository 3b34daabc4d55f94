export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '@' | '\\'
  readonly text: string
  readonly before: number | null
  readonly after: number | null
}

/** Parses a unified diff, without the two lines of names. */
export function linesOf(diff: string): readonly DiffLine[] {
  let [before, after] = [0, 0]
  const lines: DiffLine[] = []
  for (const [n, line] of diff.split('\n').entries()) {
    if (n < 2) continue
    const sign = (line[0] ?? ' ') as DiffLine['sign']
    const text = line.slice(1)
    if (sign === '@') {
      const found = /-(\d+)(?:,\d+)? \+(\d+)/.exec(line)
      ;[before, after] = [Number(found?.[1] ?? 1), Number(found?.[2] ?? 1)]
      lines.push({ sign, text: `lines from ${after}`, before: null, after: null })
    } else if (sign === '\\') lines.push({ sign, text: text.trim(), before: null, after: null })
    else
      lines.push({
        sign: sign === '+' || sign === '-' ? sign : ' ',
        text,
        before: sign === '+' ? null : before++,
        after: sign === '-' ? null : after++,
      })
  }
  return lines
}
