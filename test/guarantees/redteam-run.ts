import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { EgressPolicy } from '../../src/egress/policy/egress-policy.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import type { RedteamReport } from '../../src/redteam/redteam.ts'

const attack = path.join(import.meta.dirname, '../fixtures/redteam/attack.cjs')

/** Runs a red team in real cells, with the modules that are mocked at the time of the call. `script` is run by Node in the cell. */
export async function runRedteam(options: { readonly script?: string; readonly egress?: EgressPolicy } = {}): Promise<RedteamReport> {
  // Imported here and not above, because a mock must exist before the code that it breaks is loaded. Imported one after the other, because
  // each parallel import applies the pending mocks again, and a late one removes a mock while another one loads (resolveMocks of Vitest).
  const { redteam } = await import('../../src/redteam/redteam.ts')
  const { cellLauncher } = await import('../../src/cell/run/launch.ts')
  const { bubblewrap } = await import('../../src/cell/backends/bubblewrap/backend.ts')
  const { inspectMachine } = await import('../../src/cell/plan/machine-facts.ts')
  const { openAuditLog } = await import('../../src/audit/audit-log.ts')
  const { agentsOnMachine } = await import('../../src/adapters/agent-facts.ts')
  const root = await mkdtemp('/tmp/paddock-redteam-')
  const paths = {
    config: path.join(root, 'config'),
    state: path.join(root, 'state'),
    data: path.join(root, 'data'),
    cache: path.join(root, 'cache'),
    userHome: path.join(root, 'home'),
    userName: 'tester',
  }
  for (const each of [paths.state, paths.config, paths.userHome]) await mkdir(each, { recursive: true, mode: 0o700 })
  const variable = { name: 'PADDOCK_REDTEAM_TOKEN', value: `canary${'ab'.repeat(16)}` }
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: paths.userHome, [variable.name]: variable.value }
  const machine = inspectMachine(env, paths, agentsOnMachine)
  const audit = openAuditLog(path.join(paths.state, 'audit'))
  const script = options.script ?? (await readFile(attack, 'utf8'))
  try {
    return await redteam({
      cells: (other) =>
        cellLauncher({
          machine,
          resolver: { resolve: () => Promise.reject(new Error('no names in this test')) },
          backends: [bubblewrap({ searchPath: env.PATH, sessionEnv: {} })],
          audit: audit.write,
          stateDirectory: paths.state,
          graceMs: 500,
          ...other,
        }),
      machine,
      resolver: { resolve: () => Promise.reject(new Error('no names in this test')) },
      audit: audit.write,
      state: paths.state,
      temporary: path.join(paths.state, 'scratch'),
      variable,
      terminal: null,
      wish: async ({ project }) => ({
        agent: null,
        spec: {
          name: 'test',
          command: [process.execPath, '-e', script],
          cwd: project,
          mounts: [{ source: process.execPath, access: 'ro', reason: 'agent' }],
          files: [],
          home: { kind: 'temporary' },
          env: {},
          pathEntries: [],
          egress: options.egress ?? { mode: 'allowlist', entries: [] },
          limits: { timeout: 60_000 },
          terminal: false,
          degraded: [],
        },
      }),
    })
  } finally {
    audit.close()
    await removeTree(root)
  }
}

/** Returns the ids of the canaries that moved, sorted. */
export function movedIn(report: RedteamReport): readonly string[] {
  return report.canaries
    .filter((each) => each.moved)
    .map((each) => each.id)
    .sort()
}
