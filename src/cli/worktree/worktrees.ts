import { realpathSync } from 'node:fs'
import { exitCodes, messageOf, PaddockError } from '../../base/errors.ts'
import { refuseWhileRunning } from '../../copy/hold-copy.ts'
import { projectAround } from '../../git/project.ts'
import { mergeWorktree } from '../../worktree/merge.ts'
import { removeWorktree } from '../../worktree/remove.ts'
import { type WorktreeState, worktreeState } from '../../worktree/state.ts'
import { repositoryAt } from '../../worktree/worktree-place.ts'
import { allRecords, readRecord, type WorktreeRecord } from '../../worktree/worktree-record.ts'
import { cliCopyHost } from '../copy/command-copy-host.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'
import { workingDirectory } from '../working-directory.ts'
import { mergedLines, reviewLine, stateText } from './worktree-lines.ts'

/** `paddock worktree list` */
export async function listCommand(): Promise<Answer<Result<'worktree list'>>> {
  const host = cliCopyHost()
  const worktrees: (ReturnType<typeof shown> & { state: WorktreeState | null; problem: string | null })[] = []
  const { records, unreadable } = allRecords(host.paths)
  for (const each of records) {
    try {
      worktrees.push({ ...shown(each), state: await worktreeState(each, host), problem: null })
    } catch (error) {
      worktrees.push({ ...shown(each), state: null, problem: messageOf(error) })
    }
  }
  const rows = worktrees.map(({ name, project, directory, state, problem }) => [
    name,
    project,
    state === null ? (problem ?? '') : stateText(state),
    directory,
  ])
  const notes = [
    ...(records.length + unreadable.length === 0 ? ['no work trees; paddock run --worktree NAME … makes one'] : []),
    ...unreadable.map(({ why }) => `not listed: ${why}`),
  ]
  return {
    data: { schemaVersion: 1, worktrees, unreadable: [...unreadable] },
    lines: rows.length === 0 ? [] : table(['NAME', 'PROJECT', 'STATE', 'DIRECTORY'], rows),
    notes,
  }
}

/** `paddock worktree open`: answers no while changed files there can run on this machine, unless `--run-later` is given. */
export async function openCommand(name: string, options: { readonly runLater?: boolean }): Promise<Answer<Result<'worktree open'>>> {
  const host = cliCopyHost()
  const record = chosen(name)
  if (options.runLater !== true) await refuseWhileRunning([record.directory], host.paths)
  const state = await worktreeState(record, host)
  const later = reviewLine(state)
  const isOpen = later === null || options.runLater === true
  return {
    data: { schemaVersion: 1, ...shown(record), state },
    lines: isOpen ? [record.directory] : [],
    notes: [
      ...(later === null ? [] : [later]),
      ...(isOpen ? [] : [`the files are in ${record.directory}; after your review, run: paddock worktree open --run-later ${name}`]),
    ],
    exitCode: isOpen ? exitCodes.done : exitCodes.no,
  }
}

interface OfProject {
  readonly project?: string
}

/** `paddock worktree merge` */
export async function mergeCommand(
  name: string,
  options: OfProject & { readonly runLater?: boolean },
): Promise<Answer<Result<'worktree merge'>>> {
  const record = chosen(name, options.project)
  const merged = await mergeWorktree(record, { runLater: options.runLater === true }, cliCopyHost())
  const { project, directory } = record
  const lists = { files: [...merged.files], uncommitted: [...merged.uncommitted] }
  const data = { schemaVersion: 1 as const, name, project, directory, ...merged, ...lists, kept: true }
  return { data, lines: mergedLines(data) }
}

/** `paddock worktree remove` */
export async function removeCommand(
  name: string,
  options: OfProject & { readonly force?: boolean; readonly keepBranch?: boolean },
): Promise<Answer<Result<'worktree remove'>>> {
  const record = chosen(name, options.project)
  const wish = { force: options.force === true, keepBranch: options.keepBranch === true }
  const { commit } = await removeWorktree(record, wish, cliCopyHost())
  const { project, directory } = record
  return {
    data: { schemaVersion: 1, name, project, directory, commit },
    notes: [
      commit === null
        ? `work tree ${name} is deleted`
        : `work tree ${name} and its branch are deleted; to restore the branch, run: git branch ${name} ${commit.slice(0, 10)}`,
    ],
  }
}

/** Returns the record of a work tree of a project, by default of the one around the working directory. */
export function chosen(name: string, project?: string): WorktreeRecord {
  const { paths } = cliCopyHost()
  const { common } = repositoryAt(projectAround(project === undefined ? workingDirectory() : realpathSync(project), paths.userHome))
  const record = readRecord(paths, common, name)
  if (record !== null) return record
  throw new PaddockError('NOT_FOUND', `This project has no work tree ${JSON.stringify(name)}.`, {
    hint: 'To list the work trees, run: paddock worktree list',
  })
}

export function shown({ name, project, directory, base, createdAt }: WorktreeRecord) {
  return { name, project, directory, base, createdAt }
}
