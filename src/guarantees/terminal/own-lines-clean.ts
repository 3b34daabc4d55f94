import { broken, type Guarantee, held } from '../guarantee.ts'

/** C0, DEL, C1, and the characters that change the writing direction. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

export const ownLinesClean: Guarantee = {
  id: 'own-lines-clean',
  chapter: 'terminal',
  claim: "Names of files, hosts and limits from a cell cannot put control characters or text direction marks into Paddock's own output.",
  mechanism: 'Everything that Paddock prints about a cell goes through one function that turns such characters into visible escapes.',
  kind: 'policy',
  why: 'Without control characters (ECMA-48) a text cannot move the cursor, set a title or clipboard (OSC), or look like another line from Paddock.',
  fails: ["The agent's own output is passed on as it is.", 'Letters that look like others (homographs) are not escaped.'],
  probe: async (bench) => {
    const project = await bench.project({ 'src/README': '' })
    const word = bench.secret()
    const titles = ['\u001b]0;owned\u0007', '\u001b]52;c;b3duZWQ=\u0007', '\r\u001b[2Kpaddock: done', '\n', '\u202e', '\u009b2J', '\u2066']
    const { result, report } = await bench.inside(
      async ({ fs, dns, attempt }, given) => {
        const files = given.titles.map((each, at) => {
          const directory = `src/${given.word}${at}${each}`
          return attempt(() => {
            fs.mkdirSync(directory)
            fs.writeFileSync(`${directory}/Makefile`, '')
            fs.writeFileSync(`${directory}/.envrc`, '')
            fs.mkdirSync(`${directory}/closed`, { mode: 0 })
          })
        })
        const resolver = new dns.promises.Resolver({ timeout: 1000, tries: 1 })
        const hosts = await Promise.all(
          given.titles.map((each) =>
            resolver.resolve4(`${given.word}${each}.example`).then(
              () => 'answered',
              (error: NodeJS.ErrnoException) => error.code ?? '',
            ),
          ),
        )
        return { files, hosts }
      },
      { titles, word },
      { project },
    )
    const planted = result.files.filter((each) => each === 'ok').length
    const lines = bench.endLines(report)
    const dirty = lines.find((each) => unprintable.test(each))
    if (dirty !== undefined) return broken(`Paddock would print ${JSON.stringify(dirty).slice(0, 200)}`)
    if (planted < titles.length || !lines.some((each) => each.includes(word)))
      return broken(
        `the planted names are in none of Paddock's lines (${planted} of ${titles.length} were made), so the probe is inconclusive`,
      )
    return held(
      `${planted} directories and ${result.hosts.length} host names with titles, OSC 52, CR, line feeds and reversed text: ${lines.length} lines of Paddock name them, without one such character`,
    )
  },
}
