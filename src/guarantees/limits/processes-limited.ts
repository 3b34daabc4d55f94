import { broken, type Guarantee, held } from '../guarantee.ts'

const limit = 48
/** Number of processes that the probe creates if the limit is broken. Each ends by itself. */
const most = 400

export const processesLimited: Guarantee = {
  id: 'processes-limited',
  chapter: 'limits',
  claim: 'A cell creates no more processes and threads than its limit (4,096 by default), so a fork bomb affects only the cell.',
  mechanism:
    "The pids controller of the cell's control group. If Paddock may not create one, TasksMax of a systemd scope, otherwise RLIMIT_NPROC, which counts only this cell.",
  kind: 'structural',
  why: 'The kernel refuses fork and clone beyond it (EAGAIN) for every process. The cell can neither reach its control group nor raise a hard limit.',
  fails: ["Within the limit, processes use the machine's processors and memory like any other program."],
  probe: async (bench) => {
    const script = `ulimit -u ${most} 2>/dev/null; i=0; while [ $i -lt ${most} ]; do sleep 6 & i=$((i+1)); echo $i; done; echo all`
    const { stdout, report } = await bench.run(['/bin/sh', '-c', script], { limits: { pids: limit } })
    const came = stdout.split('\n').filter((each) => /^\d+$/.test(each)).length
    if (stdout.includes('all') || came > limit) return broken(`${came} processes were created in a cell with a limit of ${limit}`)
    if (came < limit / 2)
      return broken(`only ${came} processes were created before something else ended the probe, so the probe is inconclusive`)
    const by = report.limits.find((each) => each.limit === 'pids')?.mechanism
    return held(`with a limit of ${limit}, a fork loop created ${came} of ${most} processes and was then refused (${by})`)
  },
}
