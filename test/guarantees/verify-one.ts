import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Posture } from '../../src/base/posture.ts'
import type { EgressPolicy } from '../../src/egress/policy/egress-policy.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import type { Verified } from '../../src/guarantees/verify.ts'

/** Runs the probe of one guarantee, with the modules that are mocked at the time of the call. */
export async function verifyOne(
  id: string,
  egress: EgressPolicy['mode'],
  nodeOptions: readonly string[] = [],
  posture: Posture = 'L2',
): Promise<Verified | undefined> {
  // Imported here and not above, because a mock must exist before the code that it breaks is loaded. Imported one after the other, because
  // the first import sets up the mocks, and a parallel second one would not wait for that.
  const { verify } = await import('../../src/guarantees/verify.ts')
  const { cellLauncher } = await import('../../src/cell/run/launch.ts')
  const { bubblewrap } = await import('../../src/cell/backends/bubblewrap/backend.ts')
  const { inspectMachine } = await import('../../src/cell/plan/machine-facts.ts')
  const { quarantineNew } = await import('../../src/cell/trees/quarantine-new.ts')
  const { agentsOnMachine } = await import('../../src/adapters/agent-facts.ts')
  const { endLines } = await import('../../src/cli/run/run-lines.ts')
  const root = await mkdtemp('/tmp/paddock-sabotage-')
  try {
    const paths = {
      config: path.join(root, 'config'),
      state: path.join(root, 'state'),
      data: path.join(root, 'data'),
      cache: path.join(root, 'cache'),
      userHome: path.join(root, 'home'),
      userName: 'tester',
    }
    const temporary = path.join(paths.state, 'scratch')
    for (const each of [temporary, paths.config, paths.userHome]) await mkdir(each, { recursive: true, mode: 0o700 })
    // Files of a user's home that probes look for.
    await mkdir(path.join(paths.userHome, '.ssh'), { mode: 0o700 })
    await writeFile(path.join(paths.userHome, '.ssh/id_ed25519'), 'canary-of-the-test')
    const canary = { name: 'PADDOCK_VERIFY_TOKEN', value: 'canary-of-the-test' }
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: paths.userHome, [canary.name]: canary.value }
    const machine = inspectMachine(env, paths, agentsOnMachine)
    const backend = bubblewrap({ searchPath: env.PATH, sessionEnv: {} })
    const result = await verify(
      {
        cells: (means) =>
          cellLauncher({
            machine,
            resolver: { resolve: () => Promise.reject(new Error('no names in this test')) },
            audit: () => {},
            backends: [backend],
            stateDirectory: paths.state,
            graceMs: 500,
            ...means,
          }),
        paddock: [process.execPath, ...nodeOptions, path.join(import.meta.dirname, '../../src/cli/main.ts')],
        backend,
        quarantine: (root) => quarantineNew(root, machine.runLater),
        machine,
        state: paths.state,
        config: paths.config,
        data: paths.data,
        temporary,
        endLines,
        canary,
      },
      { egress, posture, parallel: 1, only: [id] },
    )
    return result.guarantees[0]
  } finally {
    await removeTree(root)
  }
}
