import type { CopyEnd } from '../../copy/for-run.ts'
import { summary } from './review.ts'

/** Returns the state of a copy in which a cell has worked, and the commands to continue with. */
export function copyEndLines({ changes, copy, problem, withSecrets }: CopyEnd): readonly string[] {
  if (copy === null) return ['nothing changed in the copy, so it was deleted']
  const commands = `paddock review ${copy} · paddock apply ${copy} · paddock discard ${copy}`
  if (problem !== null) return [`copy ${copy} could not be compared: ${problem}`, commands]
  return [`copy ${copy}: ${summary(changes, withSecrets)}; the project is unchanged`, commands]
}
