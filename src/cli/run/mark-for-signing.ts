import path from 'node:path'
import { printable } from '../../base/text.ts'
import { commonDirectory, gitDirectoryOf } from '../../cell/plan/git-facts.ts'
import type { RunMark } from '../../git/signing/run-marks.ts'
import { headOf } from '../../git/tips.ts'
import { say } from '../terminal/terminal-output.ts'

/** Returns the commit that is checked out in a project, if there is one. */
export function checkedOut(project: string): readonly string[] {
  const git = path.join(project, '.git')
  const own = gitDirectoryOf(git) ?? git
  const head = headOf(own, commonDirectory(own))
  return head === null ? [] : [head]
}

/** Records a run for `paddock sign` if it moved a HEAD. A failure is printed, because the run itself has ended well. */
export async function markForSigning(project: string, stateDirectory: string, mark: RunMark): Promise<void> {
  if (checkedOut(project).every((each) => mark.heads.includes(each))) return
  try {
    await (await import('../../git/signing/run-marks.ts')).addRunMark(project, stateDirectory, mark)
  } catch (error) {
    say(printable(`paddock sign will not find the commits of this run: ${error instanceof Error ? error.message : String(error)}`))
  }
}
