import { printable } from '../../base/text.ts'
import { checkedOut } from '../../cell/plan/git-facts.ts'
import type { RunMark } from '../../git/signing/run-marks.ts'
import { say } from '../terminal/terminal-output.ts'

/** Records a run for `paddock sign` if it moved a HEAD. A failure is printed, because the run itself has ended well. */
export async function markForSigning(project: string, stateDirectory: string, mark: RunMark): Promise<void> {
  const head = checkedOut(project)
  if (head === null || mark.heads.includes(head)) return
  try {
    await (await import('../../git/signing/run-marks.ts')).addRunMark(project, stateDirectory, mark)
  } catch (error) {
    say(printable(`paddock sign will not find the commits of this run: ${error instanceof Error ? error.message : String(error)}`))
  }
}
