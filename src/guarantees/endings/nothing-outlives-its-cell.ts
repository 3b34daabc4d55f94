import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { becomes, endProcesses, leaveBehind, leftBehind, processesNamed, stubborn } from '../probe/named-processes.ts'

/** A script that tries to damage the cell's init and ignores errors. The program is passed as `$2`. */
const tamper = 'kill -9 1; kill -STOP 1; perl -e "$2" 2>/dev/null'
const overwriteInit = new URL('./nothing-outlives-its-cell.pl', import.meta.url)

export const nothingOutlivesItsCell: Guarantee = {
  id: 'nothing-outlives-its-cell',
  chapter: 'endings',
  claim:
    'When a cell ends, by itself or because of a limit, none of its processes survive, however they detached from their parent and whatever they did to its init.',
  mechanism: 'A PID namespace, and a SIGKILL from the host to its init. The host waits until the kernel has ended it.',
  kind: 'structural',
  why: 'The kernel ends every process of a PID namespace with its init (pid_namespaces(7)). No setsid, fork or signal handler avoids that.',
  fails: ['A process that hangs in the kernel (on a dead network file system) ends only when the kernel releases it.'],
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
        return broken(`${left[0]} processes outlived a cell that timed out, ${left[1]} a cell that ended itself`)
      if (begun.includes(false)) return broken('the programs that were meant to stay behind were never seen, so the probe is inconclusive')
      if (timed?.ending.kind !== 'out-of-time') return broken(`a cell with a timeout ended as ${timed?.ending.kind}`)
      return held(
        `setsid, double forks, nohup, a stopped process, all ignoring SIGTERM: none survived the timeout (${timed.killLadder.join(', ')}), nor a cell that attacked its init (${ended?.ending.kind})`,
      )
    } finally {
      endProcesses([limited, own].flatMap(processesNamed))
    }
  },
}
