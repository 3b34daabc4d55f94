/**
 * The parts that differ from run to run, replaced on both sides. In this order:
 *
 * - durations: `0.3 s`, `after 87 ms`, `3 min 10 s`;
 * - ids of cells and copies: 8 or 12 hexadecimal digits;
 * - the start of a SHA-256;
 * - dates, with or without a time;
 * - the width of columns;
 * - curl's text after its error number, which differs between its versions.
 */
const variable: readonly (readonly [RegExp, string])[] = [
  [/\b\d+(?:\.\d+)? (?:ms|s|min|h|days?)\b(?: \d+ (?:s|min|h)\b)*/g, 'DURATION'],
  [/\b(?:[0-9a-f]{12}|[0-9a-f]{8})\b/g, 'ID'],
  [/\bsha256 [0-9a-f]+…?/g, 'SHA256'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g, 'DATE'],
  [/(?<=\S) {2,}/g, '  '],
  [/^(curl: \(\d+\)) .*$/g, '$1'],
]

/** A line that a command prints where the hosts of an example do not resolve, if the look-up takes less time than the command. */
const ofMachine = /^paddock: the name \S+ does not resolve on this machine, so the cell cannot reach it$/

const comparable = (line: string): string => variable.reduce((text, [what, by]) => text.replace(what, by), line.trimEnd())

/**
 * Returns true if a command printed what a page promises. A promised line `…` or `...` matches any number of lines, and `…` within a line
 * matches any text. Empty lines at the end, and lines about names that do not resolve on this machine, are ignored.
 */
export function printsAsPromised(promised: readonly string[], printed: readonly string[]): boolean {
  const want = withoutEnd(promised).map((line) => (/^\s*(?:…|\.\.\.)\s*$/.test(line) ? null : pattern(comparable(line))))
  const have = withoutEnd(printed.filter((line) => !ofMachine.test(line.trimEnd()))).map(comparable)
  return matches(want, have)
}

function matches(want: readonly (RegExp | null)[], have: readonly string[]): boolean {
  const [first, ...rest] = want
  if (first === undefined) return have.length === 0
  if (first === null) return have.some((_, skipped) => matches(rest, have.slice(skipped))) || matches(rest, [])
  return have[0] !== undefined && first.test(have[0]) && matches(rest, have.slice(1))
}

const pattern = (line: string): RegExp => new RegExp(`^${line.split('…').map(escaped).join('.*')}$`)

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1)
}
