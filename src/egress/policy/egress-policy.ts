import type * as z from 'zod'
import type { Frozen } from '../../base/frozen.ts'
import type { policySchema } from './egress-policy-schema.ts'

/** What a cell may reach: nothing, named hosts, the internet without internal addresses, or everything except loopback. */
export const egressModes = ['off', 'allowlist', 'public', 'open'] as const

/** The network access of a cell. */
export type EgressPolicy = Frozen<z.output<typeof policySchema>>

export type AllowEntry = Extract<EgressPolicy, { readonly mode: 'allowlist' }>['entries'][number]

/** Rules for the requests to one host. The first matching rule decides, or `otherwise` if no rule matches. */
export type Inspection = NonNullable<AllowEntry['inspect']>

export type HttpRule = Inspection['rules'][number]

export type RuleAction = HttpRule['action']
