import { agentsOnMachine } from '../../src/adapters/facts.ts'
import { bubblewrap } from '../../src/cell/backends/bubblewrap/backend.ts'
import type { StartCell } from '../../src/cell/cell.ts'
import { inspectMachine } from '../../src/cell/plan/facts.ts'
import type { CellSpec } from '../../src/cell/plan/spec.ts'
import { cellLauncher, type LaunchDeps } from '../../src/cell/run/launch.ts'
import { hostResolver } from '../../src/egress/dns/resolver.ts'
import type { Paths } from '../../src/paths.ts'

/** Real cells, with Paddock's own state where the test says. */
export function realCells(paths: Paths, more: Partial<LaunchDeps> = {}): StartCell {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: paths.userHome }
  return cellLauncher({
    machine: inspectMachine(env, paths, agentsOnMachine),
    backend: bubblewrap({ searchPath: env.PATH, sessionEnv: {} }),
    resolver: hostResolver(),
    audit: () => undefined,
    stateDirectory: paths.state,
    graceMs: 500,
    ...more,
  })
}

/** Where Paddock keeps what is its own, for a test that has a directory for all of it. */
export function pathsBelow(root: string): Paths {
  return {
    config: `${root}/config`,
    state: `${root}/state`,
    data: `${root}/data`,
    cache: `${root}/cache`,
    userHome: `${root}/home`,
    userName: 'tester',
  }
}

/** A command in a project, and nothing that was not asked for. */
export function plainSpec(project: string, command: readonly string[], more: Partial<CellSpec> = {}): CellSpec {
  return {
    name: 'plain',
    command,
    cwd: project,
    project,
    mounts: [],
    files: [],
    home: { kind: 'temporary' },
    env: {},
    pathEntries: [],
    egress: { mode: 'off' },
    limits: {},
    terminal: false,
    degraded: [],
    ...more,
  }
}
