import { broken, type Guarantee, held } from '../guarantee.ts'
import { holdCell } from '../probe/held-cell.ts'

export const siblingProcessesInvisible: Guarantee = {
  id: 'sibling-processes-invisible',
  chapter: 'processes',
  claim: "Cells that run at the same time, even of the same project, can neither see nor signal each other's processes.",
  mechanism: 'Each cell has a separate PID namespace, and none contains another.',
  kind: 'structural',
  why: 'A process number from one cell refers to no process, or a different one, in another cell.',
  fails: ['Cells of one project share its files, and can communicate through them.'],
  probe: async (bench) => {
    const word = bench.secret()
    const project = await bench.project()
    const other = await holdCell(
      bench,
      bench.command(async ({ fs, childProcess }, given) => {
        // Finds a pid that no process of the other cell has.
        let last = childProcess.spawn('/bin/true')
        for (let tries = 0; tries < 500 && (last.pid ?? 0) < 120; tries++) last = childProcess.spawn('/bin/true')
        const child = childProcess.spawn('/bin/sleep', ['30', given].slice(0, 1), { stdio: 'ignore', argv0: given })
        fs.writeFileSync('number', String(child.pid))
        process.stdout.write('ready\n')
        await new Promise<void>((resolve) => process.stdin.once('end', resolve).resume())
        const alive = child.exitCode === null && child.signalCode === null
        child.kill('SIGKILL')
        return alive
      }, word),
      { project },
    )
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const number = Number(fs.readFileSync('number', 'utf8'))
        const showing = fs
          .readdirSync('/proc')
          .filter((each) => /^\d+$/.test(each) && Number(each) !== process.pid)
          .filter((each) => {
            let words = ''
            attempt(() => {
              words = fs.readFileSync(`/proc/${each}/cmdline`, 'latin1')
            })
            return words.includes(given) && !words.includes('paddock-result')
          })
        return { number, showing, there: attempt(() => process.kill(number, 0)), signal: attempt(() => process.kill(number, 'SIGTERM')) }
      },
      word,
      { project },
    )
    const { stdout } = await other.end()
    const alive = /\u0001true\n?$/.test(stdout)
    if (!alive) return broken('a process of another cell was ended')
    if (result.showing.length > 0) return broken(`a process of another cell is in /proc (${result.showing.join(', ')})`)
    if (result.there !== 'ESRCH' || result.signal !== 'ESRCH')
      return broken(`by its number (${result.number}): ${result.there}, ${result.signal}`)
    return held(`a process of another cell of the same project: not in /proc, by its number ${result.there}, and still running afterwards`)
  },
}
