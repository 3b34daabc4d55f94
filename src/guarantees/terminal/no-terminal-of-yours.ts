import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held } from '../guarantee.ts'

const typing = new URL('./no-terminal-of-yours.pl', import.meta.url)

export const noTerminalOfYours: Guarantee = {
  id: 'no-terminal-of-yours',
  chapter: 'terminal',
  claim: 'A cell without a terminal cannot open the one that Paddock was started in, and is not in its session.',
  mechanism: 'A separate session (bwrap --new-session), no descriptor of a terminal, and a separate, empty devpts.',
  kind: 'structural',
  why: 'Only members of a session reach its controlling terminal (/dev/tty, tty(4)), and the device itself is in no directory of the cell.',
  fails: ['You give it a pipe that leads to a terminal, which displays its output.'],
  probe: async (bench) => {
    const { result } = await bench.inside(
      ({ fs, attempt, perl, sh }, given) => {
        const facts = fs.readFileSync('/proc/self/stat', 'latin1')
        const fields = facts.slice(facts.lastIndexOf(')') + 2).split(' ')
        return {
          session: Number(fields[3]),
          terminal: Number(fields[4]),
          tty: attempt(() => fs.openSync('/dev/tty', 'r+')),
          console: attempt(() => fs.statSync('/dev/console')),
          slaves: fs.readdirSync('/dev/pts').filter((each) => each !== 'ptmx'),
          typed: perl(given)?.stdout,
          open: sh('for each in 0 1 2; do [ -t $each ] && echo $each; done')?.stdout,
        }
      },
      readFileSync(typing, 'utf8'),
    )
    const wrong = [
      result.session === 0 ? 'it is in the session of Paddock' : '',
      result.terminal === 0 ? '' : `it has a controlling terminal (${result.terminal})`,
      result.tty === 'ENXIO' || result.tty === 'ENOENT' ? '' : `/dev/tty: ${result.tty}`,
      result.console === 'ENOENT' ? '' : '/dev/console is there',
      result.slaves.length === 0 ? '' : `/dev/pts shows ${result.slaves.join(', ')}`,
      (result.typed ?? '') === '' ? '' : `TIOCSTI worked on descriptor ${result.typed}`,
      (result.open ?? '') === '' ? '' : 'a standard stream is a terminal',
    ].filter((each) => each !== '')
    if (wrong.length > 0) return broken(wrong.join('; '))
    return held(
      `its session is its own (${result.session}), /dev/tty gives ${result.tty}, /dev/pts is empty, TIOCSTI (0x5412) worked on no descriptor`,
    )
  },
}
