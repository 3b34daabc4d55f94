import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { isHigher } from '../../base/posture.ts'
import { parseSize } from '../../base/quantities.ts'
import type { BasePlace } from '../../config/base-place.ts'
import type { RunRequest } from '../../config/request/request.ts'
import type { Host } from '../../host.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import type { Workspace } from '../workspace/placed-workspace.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { JobMeans } from './job-means.ts'
import { roomFor } from './quota.ts'

/** The workspace of an agent's cell, with the wishes for the cell. */
export interface WorkingPlace {
  /** The run request, limited to the rest of the quota. */
  readonly request: RunRequest
  readonly workspace: Workspace
  /** Arguments for `prepare`. */
  readonly where: { readonly cwd: string; readonly project: string; readonly place: ''; readonly now: number }
}

interface PlaceWish {
  readonly manifest: Manifest
  readonly request: RunRequest
  readonly slot: { readonly home: string; readonly work: string }
  /** The name of a work tree. */
  readonly name: string
}

/**
 * Opens the home and the workspace of one slot.
 * @throws PaddockError NOT_ALLOWED if the quota is used up, or the isolation level is too low; those of `openWorkspace`
 */
export async function workingPlace(
  { manifest, request, slot, name }: PlaceWish,
  host: Host,
  { now, signal, treeWishes, floor, projects }: Pick<JobMeans, 'now' | 'signal' | 'treeWishes' | 'floor' | 'projects'>,
): Promise<WorkingPlace> {
  const { workspace: wanted = 'own' } = manifest
  const cell = placeOver(await floor(wanted === 'own' ? null : (Object.values(wanted)[0] ?? null)), manifest, request)
  await mkdir(slot.home, { recursive: true, mode: 0o700 })
  const quota = manifest.quota === undefined ? null : parseSize(manifest.quota)
  const disk =
    quota === null ? request.limits.disk : await roomFor(path.dirname(path.dirname(slot.home)), quota, request.limits.disk, signal)
  const workspace = await openWorkspace(wanted, { own: slot.work, name, treeWishes, projects, signal }, host)
  return {
    request: { ...request, ...cell, limits: { ...request.limits, ...(disk === undefined ? {} : { disk }) } },
    workspace,
    where: { cwd: workspace.path, project: workspace.path, place: '', now: now().getTime() },
  }
}

/** Returns the place of a cell: that of the manifest, or of the configuration. A level that is lower than the configuration's is refused. */
function placeOver(base: BasePlace, manifest: Manifest, { posture }: RunRequest): Pick<RunRequest, 'posture' | 'backend'> {
  const backend = manifest.backend ?? base.backend
  if (base.origins.posture === null || !isHigher(base.posture, posture)) return { posture, backend }
  if (manifest.posture === undefined) return { posture: base.posture, backend }
  throw new PaddockError('NOT_ALLOWED', `posture: ${manifest.posture} is lower than ${base.posture} (${base.origins.posture}).`, {
    hint: `Set posture in the manifest to ${base.posture}, or leave it out`,
  })
}
