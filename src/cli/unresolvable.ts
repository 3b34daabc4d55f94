/** Names that are reported at most: a cell with a wildcard can make up any number. */
const mostNames = 5

/** Reports each name that does not resolve on this machine once. */
export function unresolvableNotice(say: (line: string) => void): (host: string) => void {
  const reported = new Set<string>()
  return (host) => {
    if (reported.has(host) || reported.size >= mostNames) return
    reported.add(host)
    say(`the name ${host} does not resolve on this machine, so the cell cannot reach it`)
  }
}
