import { existsSync } from 'node:fs'
import path from 'node:path'
import { openRegistry } from '../cell/run/cell-registry.ts'
import { inertPathsIn } from '../cell/run/sweep-cells.ts'
import { ownUmask } from '../files/umask.ts'
import { userExcludes } from '../git/user-excludes.ts'
import { completeApply } from './applying/complete.ts'
import { type Recovered, recover } from './applying/undo-apply.ts'
import { type CopyHost, gitUserOf } from './copy-host.ts'
import { type CopyPlace, type CopyRecord, readManifest, readRecord } from './copy-record.ts'
import type { Copy } from './hold-copy.ts'
import type { Manifest } from './manifest.ts'
import { refuseLinkedProject } from './project-directory.ts'
import { marksOf } from './reviewing/marks.ts'
import { type Scan, scanCopy } from './reviewing/scan.ts'
import { listCopy } from './stamp.ts'

/** An interrupted apply that was completed or undone. `problem`: the reason why git did not commit it; null: there is no problem. */
export type RecoveredCopy = Recovered & { readonly problem: string | null }

export interface OpenCopy extends Copy {
  readonly base: Manifest
  readonly scan: Scan
  /** The interrupted apply that was completed or undone, if there was one. */
  readonly recovered: RecoveredCopy | null
}

/** Completes or undoes an interrupted apply, then looks for changes. The caller must hold the lock of the project's copies. */
export async function openCopy(copy: Copy, host: CopyHost): Promise<OpenCopy> {
  using progress = host.progress('comparing the copy', 'files')
  const { place } = copy
  refuseLinkedProject(copy.record.project)
  const recovered = await recoverCopy(copy, host)
  // An interrupted apply may have added paths for the next commit to the record.
  const record = recovered === null ? copy.record : ((await readRecord(place)) ?? copy.record)
  const listed = listCopy(place)
  const base = await readManifest(place)
  const user = gitUserOf(host)
  const scan = await scanCopy(place, record, base, {
    marks: marksOf(record.project, user, host.runLater),
    searchPath: host.env['PATH'] ?? '',
    excludes: userExcludes(user),
    umask: ownUmask(),
    inertPaths: inertPathsIn(openRegistry(path.join(host.paths.state, 'cells'))),
    listed,
    onEntry: progress.step,
  })
  return { place, record, base, scan, recovered }
}

/** Completes or undoes an interrupted apply, with commit and audit event. The caller must hold the lock. `record`: null if unreadable. */
export async function recoverCopy(
  { place, record }: { readonly place: CopyPlace; readonly record: CopyRecord | null },
  host: CopyHost,
): Promise<RecoveredCopy | null> {
  if (record !== null && existsSync(place.journal)) refuseLinkedProject(record.project)
  const recovered = await recover(place)
  if (recovered === null) return null
  const completed = recovered.journal ? await completeApply(place, record, recovered.journal, host, true) : null
  return { ...recovered, problem: completed?.problem ?? null }
}

/** Returns messages about an interrupted apply that was completed or undone. */
export function recoveredLines(id: string, recovered: RecoveredCopy | null): readonly string[] {
  if (recovered === null) return []
  const beside = recovered.beside.map(
    (each) => `${each.path} was changed since and stays so; its version before that apply is in ${each.old}`,
  )
  const problem = recovered.problem === null ? [] : [recovered.problem]
  return [...problem, `an apply of ${id} that was interrupted has been ${recovered.how}`, ...beside]
}
