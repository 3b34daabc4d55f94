import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { durationRule, parseDuration } from '../../base/quantities.ts'
import { budgetSchema } from '../../config/budget.ts'
import { listedTool, listedTools } from '../manifest/model.ts'
import type { Agent } from '../store/agent-store.ts'
import type { LeaseTerms } from '../store/lease-store.ts'
import { topicsSchema } from './topics.ts'

/** The longest duration of a lease, in milliseconds. No lease is unlimited. */
const longestMs = 366 * 86_400_000

/** The terms that an owner requests to lend an agent. */
export const leaseWishSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9._-]{0,54}[a-z0-9])?$/, {
      error: 'must have 1 to 56 lower-case letters, digits, dots, hyphens or underscores, with a letter or digit at both ends',
    })
    .describe('The name of the lease.'),
  agent: z.string().max(100).describe('The name or id of the agent that is lent.'),
  expires: z.string().max(40).describe('When it ends: a duration from now, such as 7d, or a time such as 2027-01-31T12:00:00Z.'),
  budget: budgetSchema.optional().describe('What all of its jobs together may use.'),
  tools: z.array(z.string().max(128)).max(200).optional().describe('The tools of its manifest that the borrower may use; by default, all.'),
  topics: topicsSchema.optional().describe('Which topics texts of the borrower may have, as in a manifest. Only owners see the patterns.'),
  terminal: z
    .enum(['read', 'type'])
    .optional()
    .describe(
      '`read` (default): the borrower sees terminals that the owner opens in the lease. `type`: the borrower opens one and types, bypassing topics and budget.',
    ),
})
export type LeaseWish = z.output<typeof leaseWishSchema>

/**
 * Returns the terms of a lease. `now`: milliseconds since the epoch.
 * @throws PaddockError BAD_INPUT with the key; CONFLICT if the agent cannot be lent
 */
export function termsOf(wish: LeaseWish, { id, name, manifest, archivedAt }: Agent, now: number): LeaseTerms {
  if (archivedAt !== null) throw new PaddockError('CONFLICT', `${name} is archived.`)
  const { workspace = 'own', tools: own = [] } = manifest
  if (typeof workspace === 'object' && !('copy' in workspace))
    throw new PaddockError('CONFLICT', `${name} works in a project of yours, which cannot be lent.`, {
      hint: 'Lend an agent whose workspace is own, or { copy: PROJECT }',
    })
  const known = own.map((each) => listedTool(each).name)
  const unknown = wish.tools?.findIndex((each) => listedTools(own, [each]).length === 0) ?? -1
  if (unknown >= 0)
    throw new PaddockError('BAD_INPUT', `body.tools.${unknown}: ${wish.tools?.[unknown]} is not a tool of ${name}.`, {
      hint: known.length === 0 ? 'It has no tools' : `Its tools are ${known.join(', ')}`,
    })
  const { budget, tools, topics, terminal = 'read' } = wish
  if (terminal === 'type' && (manifest.kind === 'model' || tools !== undefined))
    throw new PaddockError('BAD_INPUT', 'body.terminal: what is typed into a terminal is held to no list of tools.', {
      hint: 'Lend an agent of kind cli with all of its tools, or leave terminal out',
    })
  return {
    name: wish.name,
    agent: id,
    expiresAt: new Date(endOf(wish.expires, now)).toISOString(),
    ...(budget === undefined ? {} : { budget }),
    ...(tools === undefined ? {} : { tools }),
    ...(topics === undefined ? {} : { topics }),
    ...(terminal === 'read' ? {} : { terminal }),
  }
}

function endOf(expires: string, now: number): number {
  const duration = parseDuration(expires)
  const time = z.iso.datetime({ offset: true }).safeParse(expires)
  const end = duration !== null ? now + duration : time.success ? Date.parse(time.data) : Number.NaN
  if (Number.isNaN(end))
    throw new PaddockError('BAD_INPUT', `body.expires: ${expires} is neither a duration nor a time.`, {
      hint: `Give ${durationRule}, or a time such as 2027-01-31T12:00:00Z`,
    })
  if (end <= now) throw new PaddockError('BAD_INPUT', `body.expires: ${expires} is in the past.`)
  if (end - now > longestMs) throw new PaddockError('BAD_INPUT', `body.expires: ${expires} is more than 366 days away.`)
  return end
}
