import { PaddockError } from '../../base/errors.ts'
import type { LimitInForce, LimitName, LimitPlan } from '../plan/cell-limits.ts'
import type { CellCgroup } from '../resources/cgroup.ts'

/** The mechanism for memory without a control group: the memory of all processes together is measured. */
export const measured = 'memory watch'

/** The mechanism for each of a plan's limits, and the options of prlimit(1) for some of them. */
export interface Enforcement {
  readonly limits: readonly LimitInForce[]
  readonly prlimit: readonly string[]
}

/**
 * Chooses a mechanism for each limit. `scope`: true if the cell runs in a transient systemd scope that limits memory and tasks; `with cpus`
 * if it limits processor time too.
 * @throws PaddockError `UNENFORCEABLE` for a limit that the user set and that can only be held in part, unless it is in `degraded`
 */
export function enforce(
  plan: LimitPlan,
  cgroup: Pick<CellCgroup, 'mechanism' | 'holds'> | null,
  scope: boolean | 'with cpus',
  degraded: readonly string[],
): Enforcement {
  const prlimit = ['--core=0']
  const limits: LimitInForce[] = []
  const hold = (limit: LimitName, mechanism: string, gap?: string): void => {
    const { value, asked } = plan[limit]
    if (value === null) limits.push({ limit, value, asked, mechanism: 'none' })
    else limits.push({ limit, value, asked, mechanism, ...(gap === undefined ? {} : { gap }) })
  }
  hold('timeout', 'host timer')
  hold('silence', 'host timer')
  if (cgroup?.holds.memory) hold('memory', cgroup.mechanism)
  else if (scope) hold('memory', 'systemd-run')
  else {
    hold('memory', measured, 'the cell as a whole is measured four times a second, and ended')
  }
  if (cgroup?.holds.processes) hold('pids', cgroup.mechanism)
  else if (scope) hold('pids', 'systemd-run')
  else {
    // Counted per user namespace since Linux 5.14, so only the cell's own processes count.
    hold('pids', 'rlimit')
    if (plan.pids.value !== null) prlimit.push(`--nproc=${plan.pids.value}`)
  }
  hold('fileSize', 'rlimit')
  if (plan.fileSize.value !== null) prlimit.push(`--fsize=${plan.fileSize.value}`)
  hold(
    'disk',
    'size watch',
    'writable directories of the host are measured every few seconds; what lives in memory is bounded by its mount',
  )
  if (cgroup?.holds.cpus) hold('cpus', cgroup.mechanism)
  else if (scope === 'with cpus') hold('cpus', 'systemd-run')
  else hold('cpus', 'none', 'this machine cannot limit processor time')
  refuseUnheldCpus(limits, degraded)
  const missing = limits.find(
    (each) => each.asked && each.limit === 'memory' && each.mechanism === measured && !degraded.includes('memory'),
  )
  if (missing !== undefined) {
    throw new PaddockError(
      'UNENFORCEABLE',
      'The memory limit cannot be held for the cell as a whole: no control group may be made here, and systemd-run does not answer.',
      {
        hint: 'Run as root, under a systemd user session, or give it up for this run with --allow-degraded memory',
      },
    )
  }
  return { limits, prlimit }
}

/** Throws if a limit of processors cannot be held. The limit always comes from the user, so the cell must not start without it. */
function refuseUnheldCpus(limits: readonly LimitInForce[], degraded: readonly string[]): void {
  const cpus = limits.find((each) => each.limit === 'cpus')
  if (cpus?.value == null || cpus.mechanism !== 'none' || degraded.includes('cpus')) return
  throw new PaddockError(
    'UNENFORCEABLE',
    'The limit of processors cannot be held: no control group with the cpu controller may be made here, and systemd-run has no cpu controller.',
    {
      hint: 'Run as root, under a systemd user session that has the cpu controller, or give it up for this run with --allow-degraded cpus',
    },
  )
}
