import type { CellReport } from '../../cell/report.ts'

/** Maximum number of names that are reported, because a cell with a wildcard can make up any number. */
const mostNames = 5

const sentenceOf = (host: string): string => `the name ${host} does not resolve on this machine`
const consequence = ', so the cell cannot reach it'

/** Returns a function that reports each name that does not resolve on this machine, once. */
export function unresolvableNotice(say: (line: string) => void): (host: string) => void {
  const reported = new Set<string>()
  return (host) => {
    if (reported.has(host) || reported.size >= mostNames) return
    reported.add(host)
    say(sentenceOf(host) + consequence)
  }
}

/** Returns one line for each name that a cell asked for, that did not resolve, and that the cell never reached. */
export function unresolvedLines({ egress }: CellReport): readonly string[] {
  const reached = new Set(egress.reached.map((each) => each.host))
  const hosts = egress.denied.flatMap(({ host, reason }) => (reason === 'unresolvable' && !reached.has(host) ? [host] : []))
  return [...new Set(hosts)].slice(0, mostNames).map(sentenceOf)
}

/** Returns the notices about names that the last lines do not mention. */
export function noticesBeyond(lastLines: readonly string[], notices: readonly string[]): readonly string[] {
  return notices.filter((each) => !lastLines.some((line) => line.includes(each.slice(0, -consequence.length))))
}
