import { bubblewrap } from '../../src/cell/backends/bubblewrap/backend.ts'
import type { StartCell } from '../../src/cell/cell.ts'
import { inspectMachine } from '../../src/cell/facts.ts'
import { cellLauncher, type LaunchDeps } from '../../src/cell/launch.ts'
import { hostResolver } from '../../src/egress/resolver.ts'
import type { Paths } from '../../src/paths.ts'

/** Real cells, with Paddock's own state where the test says. */
export function realCells(paths: Paths, more: Partial<LaunchDeps> = {}): StartCell {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: paths.userHome }
  return cellLauncher({
    machine: inspectMachine(env, paths),
    backend: bubblewrap({ searchPath: env.PATH, sessionEnv: {} }),
    resolver: hostResolver(),
    audit: () => undefined,
    stateDirectory: paths.state,
    graceMs: 500,
    ...more,
  })
}
