import { PaddockError } from '../../../src/base/errors.ts'
import type { CellPlan } from '../../../src/cell/plan/plan.ts'

/** The guarantees that this backend cannot enforce, by their name for `--allow-degraded`. */
export const givenUp: Readonly<Record<string, string>> = {
  'system-calls': 'no filter keeps system calls from the agent',
  'user-namespaces': 'the agent can make user namespaces of its own',
  'own-user': 'the agent has the uid of Paddock on the host, also if that is root',
}

/** @throws PaddockError `UNENFORCEABLE` if the backend cannot carry out the plan, or a guarantee is not given up by name */
export function refuseUnenforceable(plan: CellPlan): void {
  const { mode } = plan.egress
  if (mode === 'public' || mode === 'open')
    throw new PaddockError('UNENFORCEABLE', `Egress ${mode} cannot be enforced by bind mounts.`, { hint: 'Use --egress allowlist.' })
  if (plan.terminal) throw new PaddockError('UNENFORCEABLE', 'A cell of bind mounts has no terminal.', { hint: 'Give the agent a prompt.' })
  for (const [name, why] of Object.entries(givenUp))
    if (!plan.degraded.includes(name))
      throw new PaddockError('UNENFORCEABLE', `The guarantee ${name} cannot be enforced: ${why}.`, {
        hint: `Give it up for this run with --allow-degraded ${name}.`,
      })
}
