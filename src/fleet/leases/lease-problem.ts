import { allowancesOf, allowanceText } from '../budgets/budget-allowance.ts'
import type { Agent } from '../store/agent-store.ts'
import type { Lease } from '../store/lease-store.ts'

/** The name of a lease's budget, for messages. */
export const leaseBudget = 'the budget of the lease'

/** Returns why jobs of a lease cannot start, in one sentence; null if they can. `now`: milliseconds since the epoch. */
export function leaseProblem(lease: Lease | null, agent: Agent | null, now: number): string | null {
  if (lease === null || agent === null || lease.agent !== agent.id) return 'The lease does not exist any more.'
  if (lease.revokedAt !== null) return 'The lease was revoked.'
  if (lease.endedAt !== null || Date.parse(lease.expiresAt) <= now) return 'The lease has expired.'
  const { workspace = 'own' } = agent.manifest
  if (typeof workspace === 'object' && !('copy' in workspace)) return 'The agent works in a project of its owner, which cannot be lent.'
  const over = leaseAllowances(lease).find((each) => each.before >= each.limit)
  return over === undefined ? null : `${capital(allowanceText(over, over.before))} is used up.`
}

/** Returns the part of a lease's budget that remains for its next job. */
export function leaseAllowances({ budget, spent }: Pick<Lease, 'budget' | 'spent'>) {
  return budget === undefined ? [] : allowancesOf(leaseBudget, budget, spent)
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
