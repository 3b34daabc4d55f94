import * as z from 'zod'
import { failureKinds } from '../../run/failure-kinds.ts'

/**
 * The outcome of a participant or judge. `ran`: the program exited without being stopped. The seal turns `ran` of a participant into
 * `delivered`, `incomplete` (a required output is missing, or there is no output), `over-limit` or `leaks-a-credential`. `scores-differ`:
 * the scores in a judge's last message differ from those in its file.
 */
export const outcomeSchema = z.strictObject({
  kind: z.enum(['ran', 'delivered', 'incomplete', 'over-limit', 'leaks-a-credential', 'scores-differ', ...failureKinds]),
  /** The exit code, if the program exited without being stopped. */
  exitCode: z.int().nullable(),
  /** One sentence about the problem; null: there is no problem. */
  message: z.string().nullable(),
  hint: z.string().nullable(),
  /** The time from which a rate-limited agent may be asked again, in milliseconds since the epoch. */
  resetsAt: z.number().nullable(),
  /** True: the agent ran out of time, and its work up to then counts. */
  isPartial: z.boolean().optional(),
  /** True: a limit stopped the agent while its model endpoint did not respond. */
  isUnanswered: z.boolean().optional(),
})
export type Outcome = z.output<typeof outcomeSchema>

/** Returns true if a run did not finish. */
export function isFailureToRun(outcome: Outcome): boolean {
  return (failureKinds as readonly string[]).includes(outcome.kind)
}
