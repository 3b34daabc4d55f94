import { existsSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { objectId, type RefsNow, readRefs } from '../../git/tips.ts'
import type { WorkTree } from '../plan/machine-facts.ts'
import type { GitOperation } from '../report.ts'

const mostWorkTrees = 200
const mostReflogBytes = 1024 ** 2
/** A branch name is a path of the file system in refs/heads. */
const longestBranch = 255

/** What is checked out in a work tree, and what waits there. */
export interface GitState {
  readonly branch: string | null
  readonly head: string | null
  readonly inProgress: GitOperation | null
}

/** The state of git at the start of a cell. */
export interface GitBefore {
  readonly workTrees: readonly { readonly at: WorkTree; readonly state: GitState }[]
  /** Refs and number of stashes by common git directory. */
  readonly repositories: ReadonlyMap<string, { readonly refs: RefsNow; readonly stashes: number }>
}

/** Reads the state of the first 200 work trees. */
export function gitBefore(all: readonly WorkTree[]): GitBefore {
  const repositories = new Map<string, { readonly refs: RefsNow; readonly stashes: number }>()
  const workTrees = all.slice(0, mostWorkTrees).map((at) => {
    const known = repositories.get(at.common) ?? { refs: readRefs(at.common), stashes: stashesIn(at.common) }
    repositories.set(at.common, known)
    return { at, state: gitState(at, known.refs) }
  })
  return { workTrees, repositories }
}

/** Returns the state of a work tree, whose git directory a cell may have written. */
export function gitState({ own }: WorkTree, refs: Pick<RefsNow, 'ids'>): GitState {
  const head = readRegularSync(path.join(own, 'HEAD'), 4096)?.trim() ?? ''
  const branch = /^ref: refs\/heads\/(\S+)$/.exec(head)?.[1] ?? null
  const id = branch === null ? (objectId.test(head) ? head : null) : (refs.ids().get(`refs/heads/${branch}`) ?? null)
  return { branch: branch?.slice(0, longestBranch) ?? null, head: id, inProgress: operationIn(own) }
}

/** Returns the number of stashes, as their reflog lists them; 0 if there are none. */
export function stashesIn(common: string): number {
  const log = readRegularSync(path.join(common, 'logs/refs/stash'), mostReflogBytes) ?? ''
  return log.split('\n').length - 1
}

/** Paths in a git directory that exist during an operation (wt_status_get_state in git's wt-status.c). */
const operations: readonly (readonly [file: string, operation: GitOperation])[] = [
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['rebase-merge', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
]

function operationIn(own: string): GitOperation | null {
  return operations.find(([file]) => existsSync(path.join(own, file)))?.[1] ?? null
}
