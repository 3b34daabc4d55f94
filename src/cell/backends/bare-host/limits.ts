import { PaddockError } from '../../../base/errors.ts'
import type { BackendLook } from '../../backend-facts.ts'
import { type LimitInForce, type LimitPlan, planLimits } from '../../plan/cell-limits.ts'
import type { UserSession } from '../../resources/systemd-scope.ts'
import { type HeldLimits, holdLimits } from '../hold-limits.ts'

/** Why these limits are not in force without a control group. The kernel would count all processes of the user (setrlimit(2)). */
const unheld: Readonly<Partial<Record<LimitInForce['limit'], string>>> = {
  pids: 'the bare host counts all processes of the user together',
  disk: 'what is written on the bare host is not measured',
}

/**
 * Holds the limits of a command on the bare host (`holdLimits`), and names those that are not in force.
 * @throws PaddockError `UNENFORCEABLE` for a limit that the user set and that is not in force
 */
export function holdOnHost(
  id: string,
  limits: LimitPlan,
  degraded: readonly string[],
  session: UserSession,
  note: (cgroups: readonly string[]) => void,
): HeldLimits {
  const held = holdLimits(id, limits, degraded, session, note)
  const inForce = held.enforcement.limits.map(onHost)
  const missing = inForce.find((each) => each.asked && unheld[each.limit] !== undefined && each.mechanism === 'none')
  if (missing !== undefined) {
    held.cgroup?.remove()
    throw new PaddockError('UNENFORCEABLE', `The limit ${missing.limit} cannot be held at L0: ${missing.gap}.`, {
      hint: 'Leave it out, or use L2',
    })
  }
  return {
    ...held,
    enforcement: { limits: inForce, prlimit: held.enforcement.prlimit.filter((each) => !each.startsWith('--nproc')) },
  }
}

function onHost(held: LimitInForce): LimitInForce {
  const gap = unheld[held.limit]
  if (held.value === null || gap === undefined || (held.limit === 'pids' && held.mechanism !== 'rlimit')) return held
  return { ...held, mechanism: 'none', gap }
}

/** The properties of commands on the bare host. */
export function bareHostLook(session: UserSession): BackendLook {
  const { cgroup, enforcement } = holdOnHost('look', planLimits({}, { memoryBytes: 2 ** 30 }), ['memory', 'cpus'], session, () => {})
  cgroup?.remove()
  return {
    checks: [{ name: 'bare host', ok: false, detail: 'nothing protects your files, logins and network' }],
    limits: enforcement.limits,
    egress: [
      { modes: ['open'], ok: true, detail: 'the network of this machine' },
      { modes: ['off', 'allowlist', 'public'], ok: false, detail: 'the bare host has no egress policy' },
    ],
    terminal: true,
    publish: false,
  }
}
