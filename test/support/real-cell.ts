import { agentsOnMachine } from '../../src/adapters/agent-facts.ts'
import type { Paths } from '../../src/base/paths.ts'
import { bubblewrap } from '../../src/cell/backends/bubblewrap/backend.ts'
import type { StartCell } from '../../src/cell/cell.ts'
import { inspectMachine, type MachineFacts } from '../../src/cell/plan/machine-facts.ts'
import type { CellSpec } from '../../src/cell/plan/spec.ts'
import { cellLauncher, type LaunchDeps } from '../../src/cell/run/launch.ts'
import { hostResolver } from '../../src/egress/dns/resolver.ts'

const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/** Returns the facts about this machine for cells with these directories of Paddock. */
export function cellMachine(paths: Paths): MachineFacts {
  return inspectMachine({ PATH: searchPath, HOME: paths.userHome }, paths, agentsOnMachine)
}

/** Returns a launcher of real cells that keeps Paddock's state in these directories. */
export function realCells(paths: Paths, more: Partial<LaunchDeps> = {}): StartCell {
  return cellLauncher({
    machine: cellMachine(paths),
    backends: [bubblewrap({ searchPath, sessionEnv: {} })],
    resolver: hostResolver(),
    audit: () => undefined,
    stateDirectory: paths.state,
    graceMs: 500,
    ...more,
  })
}

/** Returns Paddock's directories, all under one root. */
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

/** Returns the spec of a command in a project, with nothing else unless given. */
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
