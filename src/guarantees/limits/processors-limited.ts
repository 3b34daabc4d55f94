import { PaddockError } from '../../base/errors.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

const cpus = 0.1
const seconds = 1.6

export const processorsLimited: Guarantee = {
  id: 'processors-limited',
  chapter: 'limits',
  claim:
    'A cell with a processor limit (--cpus) uses no more than that, however many processes it runs. If the limit cannot be enforced, the cell does not start.',
  mechanism: "The cpu controller of the cell's control group (cpu.max, cpu.cfs_quota_us), or CPUQuota of a systemd scope.",
  kind: 'structural',
  why: "The kernel's scheduler suspends a group that has used up its share of each tenth of a second.",
  fails: [
    'Without --cpus there is no such limit: a cell may use every processor until it times out.',
    'Processor time that the host uses for the cell (the gateway, TLS for inspected hosts) is not counted.',
  ],
  probe: async (bench) => {
    const busy = `for i in 1 2 3; do timeout ${seconds} sh -c 'while :; do :; done' 2>/dev/null & done; wait; cat /proc/$$/stat; getconf CLK_TCK`
    const wishes = { limits: { cpus } }
    let ran: Awaited<ReturnType<typeof bench.run>>
    try {
      ran = await bench.run(['/bin/sh', '-c', busy], wishes)
    } catch (error) {
      if (error instanceof PaddockError && error.code === 'UNENFORCEABLE')
        return held(
          'an explicit limit is refused here: no control group can be made that limits processor time, so no cell starts with a limit that is not enforced',
        )
      throw error
    }
    const used = childSeconds(ran.stdout)
    const share = used / (ran.report.durationMs / 1000)
    if (!(used > 0)) return broken(`the cell did not report what it had used (${ran.report.ending.kind}), so the probe is inconclusive`)
    if (share > cpus * 1.5 + 0.05) return broken(`with a limit of ${cpus} processors, three busy processes used ${share.toFixed(2)}`)
    const by = ran.report.limits.find((each) => each.limit === 'cpus')?.mechanism
    return held(`with a limit of ${cpus} processors (${by}), three busy processes used ${share.toFixed(2)} for ${seconds} s`)
  },
}

/** Returns the processor time of the children of a process in seconds, from its /proc/PID/stat and the ticks per second (proc(5)). */
function childSeconds(said: string): number {
  const [stat = '', ticks = ''] = said.trim().split('\n').slice(-2)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / Number(ticks)
}
