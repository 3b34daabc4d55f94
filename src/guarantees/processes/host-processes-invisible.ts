import { broken, type Guarantee, held } from '../guarantee.ts'
import { canaryProcess } from '../probe/canary-process.ts'

export const hostProcessesInvisible: Guarantee = {
  id: 'host-processes-invisible',
  chapter: 'processes',
  claim: 'A cell sees no process of the host, including its number, arguments, environment and files.',
  mechanism: 'A separate PID namespace, and a /proc that belongs to it (pid_namespaces(7)).',
  kind: 'structural',
  why: 'A process has no number in a namespace that does not contain it, so a cell has no way to refer to it.',
  fails: ["/proc/loadavg and /proc/stat count the host's processes."],
  probe: async (bench) => {
    const word = bench.secret()
    const canary = await canaryProcess(word)
    try {
      const { result } = await bench.inside(
        ({ fs, attempt }, given) => {
          const numbers = fs.readdirSync('/proc').filter((each) => /^\d+$/.test(each))
          const read = (file: string): string => {
            try {
              return fs.readFileSync(file, 'latin1')
            } catch {
              return ''
            }
          }
          // The word is also among the arguments of this program.
          const showing = numbers.filter((each) => Number(each) !== process.pid && read(`/proc/${each}/cmdline`).includes(given.word))
          return {
            numbers: numbers.length,
            own: read('/proc/self/cmdline').includes(given.word),
            showing: showing.filter((each) => !read(`/proc/${each}/cmdline`).includes('paddock-result')),
            byNumber: given.pids.map((each) => attempt(() => fs.readFileSync(`/proc/${each}/cmdline`))),
            paddock: numbers.filter((each) => /paddock\.mjs|dist\/main\.js/.test(read(`/proc/${each}/cmdline`))),
          }
        },
        { word, pids: [canary.pid, process.pid].filter((each) => each > 100) },
      )
      if (!result.own) return broken('the probe did not find itself in /proc, so the probe is inconclusive')
      if (result.showing.length > 0)
        return broken(`a process of the host is in /proc of the cell, with its arguments (${result.showing.join(', ')})`)
      if (result.paddock.length > 0) return broken('Paddock itself is in /proc of the cell')
      const found = result.byNumber.filter((each) => each !== 'ENOENT')
      if (found.length > 0) return broken(`/proc has a process by a number of the host: ${found.join(', ')}`)
      if (result.numbers > 20) return broken(`${result.numbers} processes are in /proc of the cell`)
      return held(`${result.numbers} processes in /proc, all the cell's; a canary and Paddock itself by their numbers: ENOENT`)
    } finally {
      await canary.end()
    }
  },
}
