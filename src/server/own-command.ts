import * as z from 'zod'
import { auditLineSchema, auditResults } from '../audit/audit-results.ts'
import { PaddockError } from '../base/errors.ts'
import { appliedSchema as contestAppliedSchema, contestSummary, planSchema, standingSchema, undoneSchema } from '../contest/result-parts.ts'
import { suitePlanSchema, suiteResults, suiteStatusSchema } from '../contest/suite/suite-results.ts'
import { appliedSchema, discardedSchema, reviewSchema } from '../copy/copy-results.ts'
import { credentialResults } from '../credentials/credentials-results.ts'
import { vaultResults } from '../credentials/vault/vault-results.ts'
import { answeredSchema } from '../egress/approvals/approval-schema.ts'
import { verifiedSchema } from '../guarantees/guarantees-results.ts'
import { mergedSchema, removedSchema } from '../worktree/worktree-results.ts'
import { type CommandInput, ownProcess } from './own-process.ts'

/** The commands that the server runs, and their answers. */
const answers = {
  'approvals allow': answeredSchema,
  'approvals deny': answeredSchema,
  'audit tail': z.array(auditLineSchema),
  'audit verify': auditResults['audit verify'],
  review: reviewSchema,
  apply: appliedSchema,
  discard: discardedSchema,
  'worktree merge': mergedSchema,
  'worktree remove': removedSchema,
  'contest run --dry-run': planSchema,
  'contest status': standingSchema.nullable(),
  'contest report': contestSummary,
  'contest apply': contestAppliedSchema,
  'contest apply --undo': undoneSchema,
  'suite run --dry-run': suitePlanSchema,
  'suite plan': suiteResults['suite plan'],
  'suite status': suiteStatusSchema,
  'suite report': suiteResults['suite report'],
  'suite clean': suiteResults['suite clean'],
  'suite clean --dry-run': suiteResults['suite clean'],
  'credentials list': credentialResults['credentials list'],
  'vault list': vaultResults['vault list'],
  'vault set': vaultResults['vault set'],
  'vault rm': vaultResults['vault rm'],
  'vault unlock': vaultResults['vault unlock'],
  'vault lock': vaultResults['vault lock'],
  verify: verifiedSchema,
}

/** Runs a command of this Paddock with further arguments in another process, and returns its answer. */
export type OwnCommand = <Name extends keyof typeof answers>(
  name: Name,
  words?: readonly string[],
  input?: CommandInput,
) => Promise<z.output<(typeof answers)[Name]>>

/** Returns an `OwnCommand`, which throws like `ownProcess`. */
export function ownCommand(program: readonly string[], env: NodeJS.ProcessEnv): OwnCommand {
  const run = ownProcess(program, env)
  return async (name, words = [], input = {}) => {
    const found = answers[name].safeParse(await run([...name.split(' '), '--json', ...words], input))
    if (found.success) return found.data as never
    throw new PaddockError('CELL_FAILED', `The answer of paddock ${name} is not one that this server can read.`, {
      hint: 'If Paddock was updated, restart the server',
      cause: found.error,
    })
  }
}
