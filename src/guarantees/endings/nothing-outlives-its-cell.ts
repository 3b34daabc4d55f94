import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { becomes, endProcesses, leaveBehind, leftBehind, processesNamed, stubborn } from '../probe/named-processes.ts'

/** Tries to damage the cell's init; errors are ignored. The program is passed as `$2`. */
const tamper = 'kill -9 1; kill -STOP 1; perl -e "$2" 2>/dev/null'
const overwriteInit = new URL('./nothing-outlives-its-cell.pl', import.meta.url)

export const nothingOutlivesItsCell: Guarantee = {
  id: 'nothing-outlives-its-cell',
  chapter: 'endings',
  claim:
    'When a cell is over, by itself or by its limits, no process of it is left, however it left its parent and whatever it did to its init.',
  mechanism: 'A PID namespace, and the host’s own SIGKILL to the init of it; the host waits until the kernel has ended it.',
  kind: 'structural',
  why: 'The kernel ends every process of a PID namespace with its init (pid_namespaces(7)): no setsid, fork or signal handler leads out of it.',
  fails: ['A process that hangs in the kernel (a dead network file system) ends when the kernel lets it.'],
  probe: async (bench) => {
    const limited = bench.secret()
    const own = bench.secret()
    const script = (end: string): readonly string[] => ['/bin/sh', '-c', `${leaveBehind}\n${end}`, stubborn]
    const cells = await Promise.all([
      bench.start([...script('wait; sleep 12'), limited], { limits: { timeout: 4_000 } }),
      bench.start([...script(`read -r _; ${tamper}; exit 0`), own, readFileSync(overwriteInit, 'utf8')], {}, { stdin: 'pipe' }),
    ])
    for (const each of cells) {
      each.stdout.resume()
      each.stderr.resume()
    }
    try {
      const begun = await Promise.all([limited, own].map((each) => becomes(() => processesNamed(each).length >= leftBehind, 3_000)))
      cells[1]?.stdin?.end('go\n')
      const [timed, ended] = await Promise.all(cells.map((each) => each.done))
      const left = [limited, own].map((each) => processesNamed(each).length)
      if (left.some((each) => each > 0))
        return broken(`${left[0]} processes outlived a cell that ran out of time, ${left[1]} one that ended itself`)
      if (begun.includes(false)) return broken('the programs that were to stay behind were never seen, so nothing was shown')
      if (timed?.ending.kind !== 'out-of-time') return broken(`a cell without time ended as ${timed?.ending.kind}`)
      return held(
        `setsid, double forks, nohup, a stopped one, all deaf to SIGTERM: none was left when the time was up (${timed.killLadder.join(', ')}), nor after a cell that overwrote its init’s memory (${ended?.ending.kind})`,
      )
    } finally {
      endProcesses([limited, own].flatMap(processesNamed))
    }
  },
}
