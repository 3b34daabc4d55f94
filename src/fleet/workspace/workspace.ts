import { mkdir } from 'node:fs/promises'
import { contains } from '../../cell/plan/filesystem.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { refuseWithoutRepository } from '../../git/project.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import { type NamedDirectories, usedDirectory } from '../manifest/project-rights.ts'
import type { SetUpTree, TreeWishes, Workspace, WorkspaceHost } from './placed-workspace.ts'

type WorkspaceWish = NonNullable<Manifest['workspace']>

/** Paths in a cell for an agent's own workspace. */
const ownPaths = ['/workspace', '/paddock/workspace']

/** The places of workspaces that are not the project itself. */
export interface WorkspacePlaces {
  /** The host directory for a kept workspace, which is created here. */
  readonly own: string
  /** The name of a work tree. */
  readonly name: string
  readonly treeWishes: (project: string) => Promise<TreeWishes>
  /** Returns the directories that manifests may name now. */
  readonly projects: () => Promise<NamedDirectories>
  /** Aborted to stop the command of a setup. */
  readonly signal: AbortSignal
}

/**
 * Opens the workspace that a manifest describes.
 * @throws PaddockError those of `usedDirectory`; BAD_INPUT for a project that is not a git repository; those of `openWorktree`
 */
export async function openWorkspace(wish: WorkspaceWish, places: WorkspacePlaces, host: WorkspaceHost): Promise<Workspace> {
  if (wish === 'own') return ownWorkspace(places.own, host)
  if ('copy' in wish) {
    const project = usedDirectory(wish.copy, 'workspace.copy', await places.projects())
    const { setup } = await places.treeWishes(project)
    return (await import('./place-copy.ts')).inCopy(project, setUpOf(setup, project, places, host), host)
  }
  if ('worktree' in wish) {
    const project = usedDirectory(wish.worktree, 'workspace.worktree', await places.projects())
    refuseWithoutRepository(project, 'workspace.worktree')
    const { files, setup } = await places.treeWishes(project)
    const { inWorktree } = await import('./place-worktree.ts')
    return inWorktree(project, { name: places.name, files }, setUpOf(setup, project, places, host), host)
  }
  return asItIs(usedDirectory(wish.project, 'workspace.project', await places.projects()), (spec) => spec)
}

function setUpOf(
  setup: TreeWishes['setup'],
  project: string,
  { signal }: Pick<WorkspacePlaces, 'signal'>,
  host: WorkspaceHost,
): SetUpTree | null {
  if (setup === null) return null
  return async (directory, say) => {
    const { setUp } = await import('../../setup/set-up.ts')
    return setUp(setup, { directory, at: project }, { host, audit: host.audit.write, say, signal })
  }
}

/** Returns a copy without a project as the workspace: the cell sees it at a short path, with protected paths and a change report. */
async function ownWorkspace(directory: string, { machine }: WorkspaceHost): Promise<Workspace> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const taken = [machine.user.home, machine.realHome, ...machine.ownDirectories]
  const shown = ownPaths.find((each) => !taken.some((other) => contains(each, other) || contains(other, each))) ?? directory
  return asItIs(shown, (spec) => ({ ...spec, projectCopy: directory }))
}

function asItIs(shown: string, inSpec: (spec: CellSpec) => CellSpec): Workspace {
  return {
    path: shown,
    place: async (spec) => ({
      spec: inSpec(spec),
      notes: [],
      end: async (report) => ({ report, copy: null, worktree: null, notes: [] }),
    }),
    discard: async () => undefined,
  }
}
