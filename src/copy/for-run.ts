import { existsSync } from 'node:fs'
import path from 'node:path'
import { messageOf, PaddockError } from '../base/errors.ts'
import { contains } from '../cell/plan/filesystem.ts'
import type { MachineFacts } from '../cell/plan/machine-facts.ts'
import type { CellSpec, MaskWish } from '../cell/plan/spec.ts'
import type { CellReport, ChangeSummary } from '../cell/report.ts'
import { kindBelow } from '../files/kind-below.ts'
import { refuseAsProject } from '../files/not-projects.ts'
import { userExcludes } from '../git/user-excludes.ts'
import { removeCopy } from './all-copies.ts'
import { credentialsOf } from './copies-in-play.ts'
import { type CopyHost, copiesDirectory, gitUserOf } from './copy-host.ts'
import { type CopyRecord, readRecord, writeRecord } from './copy-record.ts'
import { lockProject } from './hold-copy.ts'
import { leftBehind } from './left-behind.ts'
import { openCopy } from './open-copy.ts'
import type { Change } from './reviewing/change.ts'
import { leaksOf } from './reviewing/leaks.ts'
import { secretsIn } from './reviewing/secrets.ts'
import { type CopyWish, createCopy } from './taking/create.ts'

/** How long the end of a run waits for a command that holds the copies, in milliseconds. */
const lockPatienceMs = 30_000

/** The state of a copy after a cell has worked on it. */
export interface CopyEnd {
  /** The report of the cell, adjusted for the copy. */
  readonly report: CellReport
  /** The ID of the copy; null: nothing changed, so the copy was deleted. */
  readonly copy: string | null
  readonly changes: readonly Change[]
  /** The number of changes with text that looks like a secret. */
  readonly withSecrets: number
  /** The reason why the copy could not be compared; null: it was compared. */
  readonly problem: string | null
  /** Directories of dependencies that git ignores, so that the copy does not have them. */
  readonly leftBehind: readonly string[]
}

/** A copy of a project, used in a cell in place of the project. */
export interface RunCopy {
  /** The spec of the cell, with the copy at the project's path. */
  readonly spec: CellSpec
  readonly notes: readonly string[]
  /** Called after the cell has ended. */
  end(report: CellReport): Promise<CopyEnd>
  /** Called if the cell did not start. */
  discard(): Promise<void>
}

/** Moves a mask of the project to the same path in the copy. The path may have been left out of the copy. */
function masksInCopy(mask: MaskWish, project: string, tree: string): readonly MaskWish[] {
  if (!contains(project, mask.source)) return [mask]
  const source = tree + mask.source.slice(project.length)
  const kind = kindBelow(tree, source)
  // The original path may be visible through another mount.
  return kind === mask.kind ? [mask, { source, kind }] : [mask]
}

export interface RunCopyOptions {
  /** True: ignored files are copied, too. */
  readonly ignored: boolean
  readonly signal?: AbortSignal
  /** Adds directories to the new copy that are never applied, and returns them. */
  readonly setUp?: ((tree: string) => Promise<readonly string[]>) | null
}

/**
 * Returns the changes in a copy. Its files do not run on this machine yet, and a review marks those that would run after an apply. Its
 * config is never applied.
 */
function inCopy({ configs: _, ...changes }: ChangeSummary): ChangeSummary {
  return { ...changes, runsLater: [] }
}

/**
 * Copies the project of a cell. If `signal` is aborted, the copy is removed and the reason of the signal is thrown.
 * @throws PaddockError `NOT_ALLOWED` for mounts that would let the cell reach the project itself; what `setUp` throws
 */
export async function copyForRun(
  spec: CellSpec,
  options: RunCopyOptions,
  host: CopyHost & { readonly machine: MachineFacts },
): Promise<RunCopy> {
  const { project } = spec
  if (project === undefined) throw new Error('a run has a project')
  const through = spec.mounts.find((each) => each.access === 'rw' && (contains(each.source, project) || contains(project, each.source)))
  if (through !== undefined)
    throw new PaddockError(
      'NOT_ALLOWED',
      `--rw ${through.source} would let the cell write to the project itself, although it should work on a copy.`,
      {
        hint: 'Leave --rw out, or --copy',
      },
    )
  const { paths, machine, env } = host
  refuseAsProject(project, [machine.realHome, machine.user.home])
  const copied = async (wish: CopyWish): ReturnType<typeof createCopy> => {
    using progress = host.progress('copying the project', 'files')
    return await createCopy({ ...wish, onFile: progress.step })
  }
  const { place, record: made } = await copied({
    project,
    ignored: options.ignored,
    signal: options.signal,
    copies: copiesDirectory(paths),
    searchPath: env['PATH'] ?? '',
    excludes: userExcludes(gitUserOf(host)),
    refused: [machine.realHome, machine.user.home, ...machine.ownDirectories],
  })
  const discard = (): Promise<void> => removeCopy(place)
  const record = await withSetUp(made).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  // The agent starts in the user's directory, even if nothing of that directory was copied.
  const cwd = path.join(place.tree, path.relative(project, spec.cwd))
  if (contains(project, spec.cwd) && !existsSync(cwd)) {
    await discard()
    throw new PaddockError('BAD_INPUT', `${spec.cwd} is not in the copy: git ignores it, or it is empty.`, {
      hint: 'Start in a directory with files of the project, or take ignored files too: --copy-ignored',
    })
  }
  const few = record.skipped.slice(0, 3).map((each) => `${each.path} (${each.why})`)
  if (record.skippedCount > few.length) few.push(`${record.skippedCount - few.length} more`)
  return {
    spec: { ...spec, projectCopy: place.tree, masks: (spec.masks ?? []).flatMap((each) => masksInCopy(each, project, place.tree)) },
    notes: [...record.notes, ...(few.length === 0 ? [] : [`not in the copy: ${few.join(', ')}`])],
    discard,
    async end(report) {
      const changes = report.changes === null ? null : inCopy(report.changes)
      const left = options.ignored ? [] : leftBehind(project, place.tree, spec.cwd)
      return { report: { ...report, changes }, leftBehind: left, ...(await compared(report.cell)) }
    },
  }

  async function withSetUp(before: CopyRecord): Promise<CopyRecord> {
    const placed = (await options.setUp?.(place.tree)) ?? []
    if (placed.length === 0) return before
    const after = { ...before, setUp: [...placed] }
    await writeRecord(place, after)
    return after
  }

  async function compared(cell: string): Promise<Omit<CopyEnd, 'report' | 'leftBehind'>> {
    const { id } = record
    try {
      using _lock = await lockProject(project as string, paths, 'paddock run --copy', lockPatienceMs)
      const before = (await readRecord(place)) ?? record
      await writeRecord(place, { ...before, cells: [...before.cells, cell] })
      const { scan } = await openCopy({ place, record }, host)
      if (scan.changes.length === 0 && scan.leftOutCount === 0 && scan.ignoredCount === 0) {
        await discard()
        return { copy: null, changes: [], withSecrets: 0, problem: null }
      }
      const now = (await readRecord(place)) ?? record
      const secrets = await secretsIn(scan.changes, place, now, credentialsOf(spec, host))
      const leaks = leaksOf(scan.changes, secrets)
      if (leaks.length > 0) await writeRecord(place, { ...now, leaks })
      return { copy: id, changes: scan.changes, withSecrets: secrets.findings.size, problem: null }
    } catch (error) {
      return { copy: id, changes: [], withSecrets: 0, problem: messageOf(error) }
    }
  }
}
