import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import type { Allowances } from '../budgets/budget-allowance.ts'
import { budgetGiven } from '../budgets/job-budget.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'

/**
 * Refuses a job whose own budget cannot be enforced with the numbers that its agent reports. The server checks this when the job is given,
 * but the agent may have been edited since, or another agent may have taken the job.
 * @throws PaddockError UNENFORCEABLE
 */
export function refuseUnheld({ kind, agent, model }: Pick<Manifest, 'kind' | 'agent' | 'model'>, { limits, prices }: Allowances): void {
  const { usd, turns, tokens } = budgetGiven(limits) ?? {}
  const reports = kind === 'model' ? 'tokens' : findAdapter(agent).reports
  const isPriced = Object.hasOwn(prices, '*') || (model !== undefined && Object.hasOwn(prices, model))
  const isHeld =
    reports === 'nothing' ? [usd, turns, tokens].every((each) => each === undefined) : usd === undefined || reports === 'cost' || isPriced
  if (isHeld) return
  throw new PaddockError('UNENFORCEABLE', `The budget given with the job cannot be held: ${agent} does not report what it uses.`, {
    hint: 'Give the job to another agent',
  })
}
