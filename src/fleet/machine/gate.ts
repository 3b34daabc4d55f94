import { type ErrorCode, PaddockError } from '../../base/errors.ts'
import type { Budget } from '../../config/budget.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import type { Capabilities } from './capabilities.ts'

type FleetBudgets = Pick<Budgets, 'prices' | 'fleet'>

/** A reason why an agent cannot work on this machine. */
export interface Refusal {
  readonly code: ErrorCode
  /** The reason as one sentence. */
  readonly message: string
  readonly hint?: string
}

/** Returns the parts of a manifest that this machine cannot enforce, or an empty list. Agents, jobs and sessions all use this check. */
export function refusals(manifest: Manifest, here: Capabilities, budgets: FleetBudgets): readonly Refusal[] {
  const { agent, egress, limits = {}, posture, backend = 'auto' } = manifest
  const found: Refusal[] = []
  if (!here.ok) {
    const missing = here.checks.find((each) => !each.ok)
    found.push(
      refusal('UNENFORCEABLE', `Cells cannot be started on this machine: ${missing?.detail ?? 'see paddock doctor'}.`, missing?.hint),
    )
  }
  const policy = egress?.policy ?? 'allowlist'
  const way = here.egress.find((each) => (each.modes as readonly string[]).includes(policy))
  if (way !== undefined && !way.ok)
    found.push(refusal('UNENFORCEABLE', `egress.policy: ${policy} cannot be enforced on this machine: ${way.detail}.`, way.hint))
  if (posture !== undefined && !here.postures.includes(posture))
    found.push(
      refusal('UNENFORCEABLE', `posture: cells of ${posture} cannot be built on this machine.`, `Use one of: ${here.postures.join(', ')}`),
    )
  const builder = here.backends.find(({ name }) => name === backend)
  if (backend !== 'auto' && builder?.postures.includes(posture ?? here.posture) !== true)
    found.push(
      refusal(
        'UNENFORCEABLE',
        `backend: ${backend} cannot build cells of ${posture ?? here.posture} on this machine.`,
        `Use one of: ${['auto', ...here.backends.map(({ name }) => name)].join(', ')}`,
      ),
    )
  for (const name of Object.keys(limits)) {
    const held = here.limits.find((each) => each.limit === name)
    if (held?.mechanism === 'none')
      found.push(refusal('UNENFORCEABLE', `limits.${name} cannot be enforced on this machine.`, 'Run: paddock doctor'))
  }
  const installed = here.agents.find((each) => each.name === agent)
  if (installed !== undefined && !installed.installed)
    found.push(refusal('AGENT_NOT_INSTALLED', `${agent} is not installed on this machine.`, installed.hint))
  if (manifest.kind !== 'model' && (manifest.tools ?? []).length > 0 && installed?.usesMcp !== true)
    found.push(refusal('UNENFORCEABLE', `tools: ${agent} cannot have tools of Paddock.`, 'Leave tools out'))
  const unseen = unseenBudget(manifest, manifest.kind === 'model' ? 'tokens' : (installed?.reports ?? 'nothing'), budgets)
  if (unseen !== null) found.push(unseen)
  return found
}

/** Throws if a manifest cannot be fully enforced. @throws PaddockError with the first refusal's code and all refusals in its message */
export function refuseWhatCannotBe(manifest: Manifest, here: Capabilities, budgets: FleetBudgets): void {
  const found = refusals(manifest, here, budgets)
  const first = found[0]
  if (first === undefined) return
  const hints = [...new Set(found.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))]
  throw new PaddockError(first.code, found.map((each) => each.message).join('\n'), hints.length === 0 ? {} : { hint: hints.join('; ') })
}

/** Throws if a lease's budget could not be checked. @throws PaddockError UNENFORCEABLE */
export function refuseUnheldBudget(budget: Budget, manifest: Manifest, here: Capabilities, budgets: FleetBudgets): void {
  const { agent, kind, model } = manifest
  const installed = here.agents.find((each) => each.name === agent)
  const reports = kind === 'model' ? 'tokens' : (installed?.reports ?? 'nothing')
  const found = unseenBudget({ agent, model, budgets: { job: budget } }, reports, { prices: budgets.prices, fleet: {} })
  if (found === null) return
  const { code, message, hint } = found
  throw new PaddockError(code, message.replace('budgets.job', 'body.budget'), hint === undefined ? {} : { hint })
}

/** Returns the refusal of a budget that needs numbers which the agent does not report; null if the budget can be checked. */
function unseenBudget(
  { agent, model, budgets: own = {} }: Pick<Manifest, 'agent' | 'model' | 'budgets'>,
  reports: 'nothing' | 'tokens' | 'cost',
  { prices, fleet }: FleetBudgets,
): Refusal | null {
  const counted = Object.entries(own).find(([, each]) => Object.keys(each ?? {}).some((unit) => unit !== 'time'))?.[0]
  if (reports === 'nothing') {
    const hint = 'Use a budget of time, which works for every agent'
    return counted === undefined
      ? null
      : refusal('UNENFORCEABLE', `budgets.${counted} cannot be held: ${agent} does not report what it uses.`, hint)
  }
  const all = [
    ...Object.entries(own).map(([key, each]) => [`budgets.${key}`, each] as const),
    ...Object.entries(fleet).map(([key, each]) => [`fleet.budgets.${key}`, each] as const),
  ]
  const money = all.find(([, each]) => each?.usd !== undefined)?.[0]
  const isPriced = Object.hasOwn(prices, '*') || (model !== undefined && Object.hasOwn(prices, model))
  if (money === undefined || reports === 'cost' || isPriced) return null
  const without = model === undefined ? 'for any model (*)' : `for ${model}, and none for any other (*)`
  return refusal(
    'UNENFORCEABLE',
    `${money}.usd cannot be held: ${agent} does not report its cost, and fleet.prices has no price ${without}.`,
    'Add the price of the model to fleet.prices in config.yaml, and restart the server',
  )
}

function refusal(code: ErrorCode, message: string, hint: string | undefined): Refusal {
  return { code, message, ...(hint === undefined ? {} : { hint }) }
}
