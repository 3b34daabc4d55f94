import { type ErrorCode, PaddockError } from '../../errors.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { Capabilities } from './capabilities.ts'

/** Why an agent cannot work on this machine. */
export interface Refusal {
  readonly code: ErrorCode
  /** One sentence. */
  readonly message: string
  readonly hint?: string
}

/** What of a manifest this machine cannot enforce; empty: nothing. The one gate of agents, jobs and sessions. */
export function refusals(manifest: Manifest, here: Capabilities): readonly Refusal[] {
  const { agent, egress, limits = {} } = manifest
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
  for (const name of Object.keys(limits)) {
    const held = here.limits.find((each) => each.limit === name)
    if (held?.mechanism === 'none')
      found.push(refusal('UNENFORCEABLE', `limits.${name} cannot be enforced on this machine.`, 'Run: paddock doctor'))
  }
  const installed = here.agents.find((each) => each.name === agent)
  if (installed !== undefined && !installed.installed)
    found.push(refusal('AGENT_NOT_INSTALLED', `${agent} is not installed on this machine.`, installed.hint))
  return found
}

/** @throws PaddockError with the code of the first refusal, and all of them in its message */
export function refuseWhatCannotBe(manifest: Manifest, here: Capabilities): void {
  const found = refusals(manifest, here)
  const first = found[0]
  if (first === undefined) return
  const hints = [...new Set(found.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))]
  throw new PaddockError(first.code, found.map((each) => each.message).join('\n'), hints.length === 0 ? {} : { hint: hints.join('; ') })
}

function refusal(code: ErrorCode, message: string, hint: string | undefined): Refusal {
  return { code, message, ...(hint === undefined ? {} : { hint }) }
}
