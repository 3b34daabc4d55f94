import { listed } from '../../base/text.ts'
import type { CopyEnd } from '../../copy/for-run.ts'
import { summary } from './review-command.ts'

/** Returns the state of a copy in which a cell has worked, and the commands to continue with. */
export function copyEndLines(end: CopyEnd): readonly string[] {
  return [...leftBehindLines(end), ...stateLines(end)]
}

/** Returns what a program that failed may have missed in the copy. */
function leftBehindLines({ report: { ending }, leftBehind }: CopyEnd): readonly string[] {
  if (leftBehind.length === 0 || ending.kind !== 'exited' || ending.code === 0) return []
  const what = leftBehind.length === 1 ? 'it is' : 'they are'
  return [`git ignores ${listed(leftBehind, 3)}, so ${what} not in the copy; to copy ignored files too: --copy-ignored`]
}

function stateLines({ changes, copy, problem, withSecrets }: CopyEnd): readonly string[] {
  if (copy === null) return ['nothing changed in the copy, so it was deleted']
  const commands = `paddock review ${copy} · paddock apply ${copy} · paddock discard ${copy}`
  if (problem !== null) return [`copy ${copy} could not be compared: ${problem}`, commands]
  return [`copy ${copy}: ${summary(changes, withSecrets)}; the project is unchanged`, commands]
}
