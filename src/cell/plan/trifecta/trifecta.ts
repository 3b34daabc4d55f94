import { rated, type TrifectaParts, type TrifectaRating } from '../../../base/trifecta-rating.ts'
import type { EgressPolicy } from '../../../egress/policy/egress-policy.ts'
import { looksSecret } from '../../../secrets/looks-secret.ts'
import { contains } from '../filesystem.ts'
import type { CellPlan } from '../plan.ts'

/** Returns the rating of a plan. @param toCopy as of `trifecta` */
export function trifectaRating(plan: CellPlan, toCopy?: string): TrifectaRating {
  return rated(trifecta(plan, toCopy))
}

/**
 * Returns the parts of the lethal trifecta that a plan has, uncut.
 * @param toCopy the project that is copied before the cell starts, if the plan is made before that.
 */
export function trifecta(plan: CellPlan, toCopy?: string): TrifectaParts {
  const privateData: string[] = plan.posture === 'L0' ? ['all your files and logins'] : []
  for (const entry of plan.filesystem) {
    if (entry.kind === 'bind' && entry.reason === 'project')
      privateData.push(`${entry.target} (${entry.source === entry.target && entry.source !== toCopy ? '' : 'a copy, '}${entry.access})`)
    if (entry.kind === 'bind' && (entry.reason === 'user' || entry.reason === 'contest'))
      privateData.push(`${entry.target} (${entry.access})`)
  }
  // At L1, where changes are lost.
  if (plan.filesystem.some((each) => each.kind === 'overlay' && contains(each.path, plan.identity.home)))
    privateData.push(`${plan.identity.home} (ro)`)
  for (const name of Object.keys(plan.env)) if (looksSecret(name)) privateData.push(`$${name}`)
  const anywhere = plan.egress.mode === 'public' || plan.egress.mode === 'open'
  // What connects to a published port, such as a browser, can take data elsewhere.
  const wayOut = [...reachedBy(plan), ...plan.publish.map((port) => `published port ${port}`)]
  return { privateData, untrusted: [...(anywhere ? ['the internet'] : []), ...plan.untrusted], wayOut }
}

/** Returns what a plan lets its cell connect to, as short texts; none if it has no network. */
export function reachedBy({ egress }: Pick<CellPlan, 'egress'>): readonly string[] {
  if (egress.mode === 'off') return []
  if (egress.mode !== 'allowlist') return [egress.mode]
  const how = (each: (typeof egress.entries)[number]): string =>
    each.ask === true ? ' (asked)' : each.inspect === undefined ? '' : ' (inspected)'
  return [...new Set(egress.entries.map((each) => `${each.host}:${each.ports.join(',')}${how(each)}`))]
}

/** Returns a text about the places to which a cell can send data. Null if it cannot send any. */
export function reachOf(egress: EgressPolicy): string | null {
  if (egress.mode === 'off') return null
  if (egress.mode !== 'allowlist') return 'the internet'
  const hosts = [...new Set(egress.entries.map((each) => each.host))]
  if (hosts.length === 0) return null
  return hosts.length <= 3 ? hosts.join(', ') : `${hosts.slice(0, 2).join(', ')} and ${hosts.length - 2} more hosts`
}
