import { shellWord } from '../../base/shell-word.ts'
import { printable } from '../../base/text.ts'
import type { JobWorktree } from '../../fleet/jobs/job.ts'
import { worktreeState } from '../../worktree/state.ts'
import { cliCopyHost } from '../copy/command-copy-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { reviewLine, stateText } from './worktree-lines.ts'
import { chosen, shown } from './worktrees.ts'

const mostListed = 50

/** Returns the state of a job's work tree, and the commands to continue with. */
export async function reviewBranch({ name, project }: JobWorktree, job: string): Promise<Answer<Result<'worktree open'>>> {
  const record = chosen(name, project)
  const state = await worktreeState(record, cliCopyHost())
  const later = reviewLine(state)
  const names = state.uncommitted.slice(0, mostListed).map((each) => `  uncommitted  ${each}`)
  const rest = state.uncommitted.length - names.length
  return {
    data: { schemaVersion: 1, ...shown(record), state },
    lines: [
      `branch ${name} of ${project}: ${stateText(state)}`,
      ...names,
      ...(rest > 0 ? [`  and ${rest} more`] : []),
      ...(later === null ? [] : [later]),
    ].map(printable),
    notes: [`git -C ${shellWord(project)} diff HEAD...${name} · paddock job apply ${job} · paddock job discard ${job}`],
  }
}
