import type * as z from 'zod'
import { shellWord } from '../../base/shell-word.ts'
import { listed, printable } from '../../base/text.ts'
import type { WorktreeState } from '../../worktree/state.ts'
import type { WorktreeRecord } from '../../worktree/worktree-record.ts'
import type { mergedSchema } from '../../worktree/worktree-results.ts'
import { laterLines } from '../run/change-lines.ts'

const mostShown = 6

/** Returns the state of a work tree as one text: `2 commits to merge, 1 uncommitted file`. */
export function stateText({ unmerged, uncommitted, inProgress, head, branch }: WorktreeState): string {
  const parts = [
    ...(unmerged === 0 ? [] : [counted(unmerged, 'commit to merge', 'commits to merge')]),
    ...(uncommitted.length === 0 ? [] : [counted(uncommitted.length, 'uncommitted file', 'uncommitted files')]),
    ...(inProgress === null ? [] : [`${inProgress} in progress`]),
    ...(branch === null ? [`no branch, at ${head?.slice(0, 10) ?? 'no commit'}`] : []),
  ]
  return parts.length === 0 ? 'nothing to merge' : printable(parts.join(', '))
}

/** Returns the line about files that run later; null if there are none. */
export function reviewLine({ runsLater }: WorktreeState): string | null {
  return laterLines({ runsLater })[0] ?? null
}

/** Returns the last lines of a run in a work tree: its state and the commands to continue with. */
export function worktreeEndLines({ name, directory, project }: WorktreeRecord, state: WorktreeState): readonly string[] {
  const later = reviewLine(state)
  const where = state.branch === name ? `branch ${name}` : `branch ${state.branch ?? '(none)'}, not ${name}`
  const own =
    state.branch === name
      ? `paddock worktree merge ${name}`
      : `git -C ${shellWord(project)} merge ${shellWord(state.branch ?? state.head ?? name)}`
  const merge = state.unmerged === 0 ? [] : [own]
  return [
    `work tree ${name} (${directory}), ${where}: ${stateText(state)}`,
    ...(later === null ? [] : [`before you merge: ${later}`]),
    [...merge, `paddock worktree open ${name}`, `paddock worktree remove ${name}`].join(' · '),
  ].map(printable)
}

/** Returns the lines about a merge. */
export function mergedLines({ name, into, commits, commit, files, uncommitted }: z.output<typeof mergedSchema>): readonly string[] {
  const left = uncommitted.length === 0 ? [] : [`in no commit, and so not merged: ${listed(uncommitted, mostShown)}`]
  if (into === null) return [`branch ${name} is kept`]
  const what = `${counted(commits, 'commit', 'commits')} of ${name} into ${into}, at ${commit?.slice(0, 10) ?? ''}`
  return [`merged ${what}: ${counted(files.length, 'file', 'files')} changed`, ...left].map(printable)
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}
