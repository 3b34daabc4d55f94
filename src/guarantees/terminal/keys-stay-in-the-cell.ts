import { closeSync, readFileSync } from 'node:fs'
import { openTerminal } from '../../cell/streams/cell-terminal.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { collect } from '../probe/bench.ts'

const typing = new URL('./keys-stay-in-the-cell.pl', import.meta.url)

export const keysStayInTheCell: Guarantee = {
  id: 'keys-stay-in-the-cell',
  chapter: 'terminal',
  claim: 'A cell with a terminal can neither type into yours nor read or open any terminal of the host.',
  mechanism: "The cell gets a separate pseudo-terminal, which Paddock relays. Its /dev/pts is a different devpts from the host's.",
  kind: 'structural',
  why: 'TIOCSTI and similar calls need an open terminal, and the cell has only its own open. Anything that it types there comes back to itself.',
  fails: ["Its output is displayed: escape sequences in an agent's own output take effect in your terminal."],
  probe: async (bench) => {
    const word = bench.secret()
    // A host terminal like a user's. The probe is at the other end, where it also sees the echo of input.
    const yours = openTerminal(80, 24)
    let leaked = ''
    yours.stream.on('data', (chunk) => {
      leaked += String(chunk)
    })
    try {
      const cell = await bench.start(
        bench.command(
          ({ fs, attempt, perl }, given) => {
            const slaves = fs.readdirSync('/dev/pts').filter((each) => /^\d+$/.test(each))
            const places = ['/dev/tty', '/dev/console', '/proc/self/fd/0', ...slaves.map((each) => `/dev/pts/${each}`)]
            perl(given.typing, given.word, ...places, ...Array.from({ length: 64 }, (_, each) => `/dev/pts/${each}`))
            return {
              opened: Array.from({ length: 256 }, (_, each) => `/dev/pts/${each}`).filter(
                (each) => attempt(() => fs.statSync(each)) === 'ok',
              ),
              isTerminal: process.stdin.isTTY,
              tty: attempt(() => fs.openSync('/dev/tty', 'r+')),
            }
          },
          { word, typing: readFileSync(typing, 'utf8') },
        ),
        { terminal: true },
        { stdin: 'none', size: { columns: 80, rows: 24 } },
      )
      const { stdout, report } = await collect(cell)
      if (!stdout.includes(word))
        return broken(`the cell did not write to its own terminal (${report.ending.kind}), so the probe is inconclusive`)
      const opened = /"opened":\[([^\]]*)\]/.exec(stdout)?.[1]
      if (opened === undefined || !stdout.includes('"isTerminal":true') || !stdout.includes('"tty":"ok"'))
        return broken('the cell had no terminal, so the probe is inconclusive')
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (leaked.includes(word)) return broken('characters that a cell typed or wrote arrived in a terminal of the host')
      if (opened !== '') return broken(`the cell sees terminals of the host: ${opened}`)
      return held(
        'a cell wrote and typed (TIOCSTI) into every terminal that it could open: its own showed it, one of the host received nothing',
      )
    } finally {
      closeSync(yours.cellEnd)
      yours.stream.destroy()
    }
  },
}
