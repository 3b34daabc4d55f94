import type { PaddockError } from '../../base/errors.ts'
import { FixableError } from '../../base/fixable-error.ts'
import type { LimitInForce, LimitName, LimitPlan } from '../plan/cell-limits.ts'
import type { CellCgroup } from '../resources/cgroup.ts'
import type { Cause } from './causes/build-causes.ts'
import { limitCause, readLimitFacts } from './causes/limit-causes.ts'

/** The mechanism for memory without a control group: the memory of all processes together is measured. */
export const measured = 'memory watch'

/** The mechanism for each of a plan's limits, and the options of prlimit(1) for some of them. */
export interface Enforcement {
  readonly limits: readonly LimitInForce[]
  readonly prlimit: readonly string[]
}

/**
 * Chooses a mechanism for each limit. `scope`: true if the cell runs in a transient systemd scope that limits memory and tasks; `with cpus`
 * if it limits processor time too. `cause`: returns why a limit cannot be held here.
 * @throws PaddockError `UNENFORCEABLE` for a limit that the user set and that can only be held in part, unless it is in `degraded`
 */
export function enforce(
  plan: LimitPlan,
  cgroup: Pick<CellCgroup, 'mechanism' | 'holds'> | null,
  scope: boolean | 'with cpus',
  degraded: readonly string[],
  cause: () => Cause = () => limitCause(readLimitFacts({})),
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
  refuseUnheldCpus(limits, degraded, cause)
  const missing = limits.find(
    (each) => each.asked && each.limit === 'memory' && each.mechanism === measured && !degraded.includes('memory'),
  )
  if (missing !== undefined) {
    throw unheld('memory', 'The memory limit cannot be held for the cell as a whole', cause())
  }
  return { limits, prlimit }
}

/** Throws if a limit of processors cannot be held. The limit always comes from the user, so the cell must not start without it. */
function refuseUnheldCpus(limits: readonly LimitInForce[], degraded: readonly string[], cause: () => Cause): void {
  const cpus = limits.find((each) => each.limit === 'cpus')
  if (cpus?.value == null || cpus.mechanism !== 'none' || degraded.includes('cpus')) return
  throw unheld('cpus', 'The limit of processors cannot be held', cause())
}

function unheld(name: LimitName, sentence: string, { why, hint, remedies = [] }: Cause): PaddockError {
  const otherwise = `or give it up for this run with --allow-degraded ${name}`
  return new FixableError('UNENFORCEABLE', `${sentence}: ${why}.`, { hint: `${hint}, ${otherwise}`, remedies })
}
