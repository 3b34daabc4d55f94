import { mkdir } from 'node:fs/promises'
import { contains } from '../../cell/plan/filesystem.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { PlacedWorkspace, WorkspaceHost } from './placed-workspace.ts'
import { projectDirectory } from './project-directory.ts'

/** The workspace of one job. */
export interface Workspace {
  /** The path of the workspace in the cell: the working directory, and the project for `prepare`. */
  readonly path: string
  /** Adds the workspace to the specification of the job's cell. */
  place(spec: CellSpec): Promise<PlacedWorkspace>
}

type WorkspaceWish = NonNullable<Manifest['workspace']>

/** Paths in a cell for an agent's own workspace. */
const ownPaths = ['/workspace', '/paddock/workspace']

/**
 * Opens the workspace that a manifest describes. `own`: the host directory for a kept workspace, which is created here.
 * @throws PaddockError NOT_FOUND or BAD_INPUT for a project that is not a directory
 */
export async function openWorkspace(wish: WorkspaceWish, own: string, host: WorkspaceHost): Promise<Workspace> {
  if (wish === 'own') return ownWorkspace(own, host)
  if ('copy' in wish) {
    const project = projectDirectory(wish.copy, 'workspace.copy', host.paths.userHome)
    const { placeCopy } = await import('./place-copy.ts')
    return { path: project, place: (spec) => placeCopy(spec, host) }
  }
  return { path: projectDirectory(wish.project, 'workspace.project', host.paths.userHome), place: async (spec) => asItIs(spec) }
}

/** Returns a copy without a project as the workspace: the cell sees it at a short path, with protected paths and a change report. */
async function ownWorkspace(directory: string, { machine }: WorkspaceHost): Promise<Workspace> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const taken = [machine.user.home, machine.realHome, ...machine.ownDirectories]
  const shown = ownPaths.find((each) => !taken.some((other) => contains(each, other) || contains(other, each))) ?? directory
  return { path: shown, place: async (spec) => asItIs({ ...spec, projectCopy: directory }) }
}

function asItIs(spec: CellSpec): PlacedWorkspace {
  return {
    spec,
    notes: [],
    end: async (report) => ({ report, copy: null, notes: [] }),
    discard: async () => undefined,
  }
}
