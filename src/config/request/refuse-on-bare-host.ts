import { PaddockError } from '../../base/errors.ts'
import type { RunRequest } from './request.ts'

/**
 * Throws UNENFORCEABLE for wishes of a run on the bare host that would protect something there. Those that only show more to a cell have no
 * effect, because everything is visible.
 */
export function refuseOnBareHost(request: RunRequest, place: string): void {
  const { egress, credentials, secrets, repositories, masks, publish, strictNames, agent } = request
  const refuse = (what: string, hint: string): never => {
    throw new PaddockError('UNENFORCEABLE', `${place}${what}`, { hint })
  }
  if (egress.private) refuse('--private has no effect at L0: the bare host has no egress policy.', 'Leave it out, or use L2')
  if (egress.policy.value !== 'open')
    refuse(`${egress.policy.origin.place} ${egress.policy.value} cannot be enforced at L0, on the bare host.`, 'Use --egress open, or L2')
  const checked = [...egress.inspect, ...egress.rules, ...egress.ruleSets][0]
  if (checked !== undefined) refuse(`${checked.origin.place}: no request is checked at L0.`, 'Leave it out, or use L2')
  if (secrets.length + repositories.length > 0)
    refuse('A placeholder has no effect at L0, because no gateway swaps it.', 'Pass the variable itself with --env NAME, or use L2')
  if (agent !== 'command' && !['snapshot', 'none'].includes(credentials?.mode ?? 'placeholder'))
    refuse(`A placeholder has no effect at L0, and ${agent} uses your own login there.`, 'Use --credentials snapshot to allow that, or L2')
  if (masks[0] !== undefined) refuse(`${masks[0].origin.place}: nothing is hidden at L0.`, 'Leave it out, or use L2')
  if (publish.length > 0) refuse('--publish has no effect at L0: its ports are those of this machine.', 'Leave it out')
  if (strictNames !== false && (strictNames === true || strictNames.length > 0))
    refuse('strictNames has no effect at L0: no name is kept from the command.', 'Leave it out, or use L2')
}
