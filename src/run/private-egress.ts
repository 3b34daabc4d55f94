import { PaddockError } from '../base/errors.ts'
import type { EgressRequest, Sourced } from '../config/request/request.ts'
import type { AllowEntry, EgressPolicy } from '../egress/policy/egress-policy.ts'
import { matchesPattern } from '../egress/policy/host-pattern.ts'
import { withInspection } from '../egress/requests/inspected-entries.ts'
import type { HostRule } from '../egress/requests/rule-text.ts'
import { wishesOf } from './inspection-wishes.ts'

/**
 * Returns the policy of `--private`: only the hosts that the agent itself needs, or off for a bare command. `needed` returns the agent's
 * hosts, or the host of the base URL. An `--allow` may say how the host of the base URL is reached. Rules for these hosts apply; others
 * have no effect.
 * @throws PaddockError `BAD_INPUT` for options that ask for more, `NOT_ALLOWED` for a rule that would widen the policy
 */
export function privateEgress(
  egress: EgressRequest,
  baseUrl: string | null,
  needed: (named: readonly AllowEntry[]) => readonly AllowEntry[],
): EgressPolicy {
  const { value: policy } = egress.policy
  if (policy === 'public' || policy === 'open' || egress.ask.length + egress.presets.length > 0)
    throw new PaddockError('BAD_INPUT', '--private lets the cell reach what the agent itself needs, and nothing else.', {
      hint: 'Leave --private out, or --egress, --ask and --preset',
    })
  if (policy === 'off') return { mode: 'off' }
  const endpoint = baseUrl === null ? undefined : URL.parse(baseUrl)?.hostname
  const named = egress.allow.map((each) => each.value)
  const other = named.find((each) => each.host !== endpoint)
  if (other !== undefined)
    throw new PaddockError(
      'BAD_INPUT',
      `--private and --allow ${other.host}: the cell may reach what the agent itself needs, and nothing else.`,
      {
        hint: 'Leave one of them out',
      },
    )
  const entries = [...named, ...needed(named)]
  if (entries.length === 0) return { mode: 'off' }
  const isNeeded = (host: string): boolean => entries.some((each) => each.host === host)
  return {
    mode: 'allowlist',
    entries: withInspection(
      entries,
      wishesOf({
        inspect: egress.inspect.filter((each) => isNeeded(each.value.host)),
        rules: egress.rules.filter((each) => isNeeded(ruled(each, entries))),
        ruleSets: egress.ruleSets,
      }),
    ),
  }
}

/** Returns the host of a rule. */
function ruled({ value }: Sourced<HostRule>, entries: readonly AllowEntry[]): string {
  const { host } = value.entry
  const met = entries.find((each) => each.host !== host && matchesPattern(host, each.host))
  if (met === undefined) return host
  throw new PaddockError(
    'NOT_ALLOWED',
    `The rule ${JSON.stringify(value.text)} cannot hold with --private: it would let the cell reach all of ${host}.`,
    {
      hint: `Write it for ${met.host}`,
    },
  )
}
