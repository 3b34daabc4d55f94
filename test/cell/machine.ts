import type { MachineFacts, ProjectFacts } from '../../src/cell/plan/machine-facts.ts'
import type { CellSpec } from '../../src/cell/plan/spec.ts'

/** Returns the facts of an imaginary machine, for tests of pure functions. */
export function machine(over: Partial<MachineFacts> = {}): MachineFacts {
  return {
    user: { name: 'ada', uid: 1000, gid: 1000, home: '/home/ada' },
    env: { PATH: '/home/ada/.nvm/bin:/home/ada/bin:/usr/bin:relative', TERM: 'xterm', LANG: 'C.UTF-8' },
    memoryBytes: 16 * 1024 ** 3,
    system: {
      paths: [
        { path: '/usr', link: null },
        { path: '/bin', link: 'usr/bin' },
      ],
      toolchains: [{ source: '/home/ada/.nvm', target: '/home/ada/.nvm' }],
    },
    realHome: '/home/ada',
    ownDirectories: ['/home/ada/.config/paddock', '/home/ada/.local/state/paddock'],
    ownMountable: ['/home/ada/.local/state/paddock/homes'],
    runLater: [],
    bundleVariables: [],
    ...over,
  }
}

export function spec(over: Partial<CellSpec> = {}): CellSpec {
  return {
    name: 'test',
    command: ['true'],
    cwd: '/home/ada/project',
    project: '/home/ada/project',
    mounts: [],
    files: [],
    home: { kind: 'persistent', path: '/home/ada/.local/state/paddock/homes/project/command' },
    env: {},
    pathEntries: [],
    egress: { mode: 'off' },
    limits: {},
    terminal: false,
    degraded: [],
    ...over,
  }
}

export function tree(over: Partial<ProjectFacts> = {}): ProjectFacts {
  return {
    path: '/home/ada/project',
    isRepository: false,
    present: [],
    absent: [],
    guards: [],
    links: [],
    sockets: [],
    outerGit: null,
    ...over,
  }
}
