import { parseAllow } from '../../egress/policy/allow.ts'
import { matchesPattern } from '../../egress/policy/host-pattern.ts'
import type { AllowEntry, EgressPolicy } from '../../egress/policy/policy.ts'
import { type InspectionWishes, withInspection } from '../../egress/requests/inspected-entries.ts'
import { parseRule } from '../../egress/requests/rule-text.ts'
import { PaddockError } from '../../errors.ts'

/** The options that say what a cell may reach. */
interface PrivateWishes extends InspectionWishes {
  readonly egress: string
  readonly baseUrl?: string
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly preset: readonly string[]
}

/** What the configuration may widen a policy by; with --private it does not count. */
export const widening: ReadonlySet<string> = new Set(['egress', 'allow', 'ask', 'presets', 'block'].map((each) => `run.${each}`))

/**
 * The policy of `--private`: what the agent itself needs and nothing else; off for a bare command. `needed` are the agent's hosts, or the
 * one of the base URL, of which an `--allow` may say how it is reached. Rules about those hosts hold; others have nothing to rule.
 * @throws PaddockError `BAD_INPUT` for options that ask for more, `NOT_ALLOWED` for a rule that would have to widen it
 */
export function privateEgress(options: PrivateWishes, needed: (named: readonly AllowEntry[]) => readonly AllowEntry[]): EgressPolicy {
  if (options.egress === 'public' || options.egress === 'open' || options.ask.length + options.preset.length > 0)
    throw new PaddockError('BAD_INPUT', '--private lets the cell reach what the agent itself needs, and nothing else.', {
      hint: 'Leave --private out, or --egress, --ask and --preset.',
    })
  if (options.egress === 'off') return { mode: 'off' }
  const endpoint = options.baseUrl === undefined ? undefined : URL.parse(options.baseUrl)?.hostname
  const named = options.allow.map((each) => parseAllow(each, { place: '--allow' }))
  const other = named.find((each) => each.host !== endpoint)
  if (other !== undefined)
    throw new PaddockError(
      'BAD_INPUT',
      `--private and --allow ${other.host}: the cell may reach what the agent itself needs, and nothing else.`,
      {
        hint: 'Leave one of them out.',
      },
    )
  const entries = [...named, ...needed(named)]
  if (entries.length === 0) return { mode: 'off' }
  const isNeeded = (host: string): boolean => entries.some((each) => each.host === host)
  const rules = (texts: readonly string[]): string[] => texts.filter((each) => isNeeded(ruled(each, entries)))
  return {
    mode: 'allowlist',
    entries: withInspection(entries, {
      inspect: options.inspect.filter((each) => isNeeded(parseAllow(each, { place: '--inspect' }).host)),
      rule: rules(options.rule),
      rules: options.rules,
      projectRule: rules(options.projectRule ?? []),
      projectRules: options.projectRules ?? [],
    }),
  }
}

/** The host of a rule. */
function ruled(text: string, entries: readonly AllowEntry[]): string {
  const { host } = parseRule(text, '--rule').entry
  const met = entries.find((each) => each.host !== host && matchesPattern(host, each.host))
  if (met === undefined) return host
  throw new PaddockError(
    'NOT_ALLOWED',
    `The rule ${JSON.stringify(text)} cannot hold with --private: it would let the cell reach all of ${host}.`,
    {
      hint: `Write it for ${met.host}.`,
    },
  )
}
