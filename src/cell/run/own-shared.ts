import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { AuditSink } from '../../audit/event.ts'
import { PaddockError } from '../../base/errors.ts'
import { printableName } from '../../base/text.ts'
import { takeLock } from '../../files/lock.ts'
import { outerRepository } from '../plan/git-facts.ts'
import type { CellPlan } from '../plan/plan.ts'
import { ownCopiesNotice, type SharedFile, sharedFiles, whereShared } from '../plan/shared-files.ts'
import type { CellSpec } from '../plan/spec.ts'
import { beginSearch, type LinkedNames, linkedNames } from '../trees/shared/find-shared.ts'
import { makeOwnCopies, removeLeft } from '../trees/shared/own-copies.ts'

/** The number of searches before a start is refused, because somebody keeps making or writing shared files. */
const mostTries = 3
/** How long to wait for another start that makes copies, in milliseconds. */
const patienceMs = 600_000
/** The clock of files lags behind. After this time, in milliseconds, the copies are older than the cell. */
const settleMs = 20

/** The search for shared files, which runs while the cell is planned. */
export interface SharedSearch {
  /**
   * Gives each file that the cell could change in another directory its own copy. Returns a notice about it, or null if there was nothing
   * to do.
   * @throws PaddockError `UNENFORCEABLE` if a file cannot be copied
   */
  own(plan: CellPlan, means: SharedMeans): Promise<string | null>
  /** Returns the directories of the trees (`LinkedNames`); none if they are not known. */
  directories(): Promise<readonly string[]>
  /** Returns a notice about what `own` would do. */
  notice(plan: CellPlan): Promise<string | null>
}

const nothing: SharedSearch = { own: async () => null, notice: async () => null, directories: async () => [] }

/** Starts the search in the trees of a cell. It goes on in another process. */
export async function searchShared({ deps }: Pick<CellSpec, 'deps'>, roots: readonly string[]): Promise<SharedSearch> {
  if (deps === 'rw' || roots.length === 0) return nothing
  // Most of their entries belong to other work trees, and are read-only in the cell.
  const outer = roots.flatMap((each) => outerRepository(path.join(each, '.git')) ?? [])
  const workTrees = [...outer, ...roots.map((each) => path.join(each, '.git'))].map((each) => path.join(each, 'worktrees'))
  const { found: first } = await beginSearch([...roots, ...outer], workTrees)
  // It is awaited after the plan, which may fail.
  Promise.resolve(first).catch(() => undefined)
  const found = async (plan: CellPlan): Promise<Omit<LinkedNames, 'directories'>> => {
    const outside = outsideOf(plan).filter((each) => !outer.includes(each))
    const more = await linkedNames([...outside, ...workTrees.flatMap((each) => writableIn(each, plan))])
    const { linked, left } = await first
    return { linked: [...linked, ...more.linked], left: [...left, ...more.left] }
  }
  return {
    own: async (plan, means) => {
      const { linked, left } = await found(plan)
      const files = sharedFiles(linked, plan.filesystem)
      if (files.length === 0 && left.length === 0) return null
      const file = path.join(means.stateDirectory, 'own-copies.lock')
      using _lock = await takeLock({ file, what: 'The place where own copies are made', command: plan.name, patienceMs })
      removeLeft(left)
      if (files.length > 0) await ownAll(files, plan, means)
      await setTimeout(settleMs)
      if (files.length === 0) return null
      means.audit({ kind: 'cell.own-copies', data: { name: plan.name, files: files.length, places: whereShared(files, plan.trees) } })
      return ownCopiesNotice(files, plan.trees, 'past')
    },
    directories: async () => (await first).directories ?? [],
    notice: async (plan) => {
      const files = sharedFiles((await found(plan)).linked, plan.filesystem)
      return files.length === 0 ? null : ownCopiesNotice(files, plan.trees, 'future')
    },
  }
}

export interface SharedMeans {
  readonly stateDirectory: string
  readonly audit: AuditSink
  readonly signal: AbortSignal | undefined
}

/** Returns the parts of a directory of linked work trees that a cell can write to. If other work trees have entries, it sees a view of it. */
function writableIn(workTrees: string, { filesystem }: CellPlan): readonly string[] {
  if (!existsSync(workTrees)) return []
  const binds = filesystem.filter((each) => each.kind === 'bind')
  if (!binds.some(({ source, access }) => source === workTrees && access === 'ro')) return [workTrees]
  return binds.flatMap(({ source, access }) => (access === 'rw' && source.startsWith(`${workTrees}/`) ? [source] : []))
}

/** Returns the git directories outside the trees that a cell writes to. */
function outsideOf({ filesystem, trees }: CellPlan): readonly string[] {
  return filesystem.flatMap((each) =>
    each.kind === 'bind' && each.reason === 'project' && !trees.includes(each.source) ? [each.source] : [],
  )
}

async function ownAll(files: readonly SharedFile[], plan: CellPlan, { signal }: SharedMeans): Promise<void> {
  let still = files
  for (let tries = 0; tries < mostTries; tries++) {
    await makeOwnCopies(still, signal)
    // Somebody may have made others meanwhile, and files that somebody is writing are left.
    still = sharedFiles((await linkedNames([...plan.trees, ...outsideOf(plan)])).linked, plan.filesystem)
    if (still.length === 0) return
  }
  const [first = ''] = still[0]?.paths ?? []
  throw new PaddockError(
    'UNENFORCEABLE',
    `${printableName(Buffer.from(first, 'latin1'))} is shared with another directory by a hard link and is being changed, so it gets no own copy.`,
    { hint: 'Wait until that has ended, or leave the files shared for one run with --deps rw' },
  )
}
