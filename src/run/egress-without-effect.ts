import { PaddockError } from '../base/errors.ts'
import type { EgressRequest, Sourced } from '../config/request/request.ts'

/** Throws BAD_INPUT for options that have no effect under the policy, because a user might otherwise rely on them. */
export function refuseEgressWithoutEffect(egress: EgressRequest, hasRepositories: boolean): void {
  const { policy } = egress
  const refuse = (wish: Sourced<unknown> | undefined, use: string): void => {
    if (wish === undefined) return
    throw new PaddockError('BAD_INPUT', `${wish.origin.place} has no effect with ${policy.origin.place} ${policy.value}.`, { hint: use })
  }
  if (policy.value !== 'public') refuse(egress.block[0], `Use it with ${policy.origin.place} public`)
  if (policy.value === 'allowlist') return
  for (const each of [egress.allow, egress.ask, egress.presets])
    refuse(each[0], `Use it with ${policy.origin.place} allowlist, the default`)
  if (policy.value !== 'off') return
  for (const each of [egress.inspect, egress.rules, egress.ruleSets]) refuse(each[0], `Leave ${policy.origin.place} out`)
  if (hasRepositories)
    throw new PaddockError('BAD_INPUT', `A repository cannot be reached with ${policy.origin.place} off.`, {
      hint: `Leave ${policy.origin.place} out`,
    })
}
