import { mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import type { EgressPolicy } from '../../src/egress/policy.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import type { Verified } from '../../src/guarantees/verify.ts'

/** Runs the probe of one guarantee, with whatever modules are mocked at the moment of the call. */
export async function verifyOne(id: string, egress: EgressPolicy['mode']): Promise<Verified | undefined> {
  // Loaded here and not above: a mock must be there before what it breaks.
  const [{ verify }, { cellLauncher }, { bubblewrap }, { inspectMachine }, { endLines }] = await Promise.all([
    import('../../src/guarantees/verify.ts'),
    import('../../src/cell/launch.ts'),
    import('../../src/cell/backends/bubblewrap/backend.ts'),
    import('../../src/cell/facts.ts'),
    import('../../src/cli/run-lines.ts'),
  ])
  const root = await mkdtemp('/tmp/paddock-sabotage-')
  try {
    const paths = {
      config: path.join(root, 'config'),
      state: path.join(root, 'state'),
      cache: path.join(root, 'cache'),
      userHome: path.join(root, 'home'),
      userName: 'tester',
    }
    const temporary = path.join(paths.state, 'scratch')
    for (const each of [temporary, paths.config, paths.userHome]) await mkdir(each, { recursive: true, mode: 0o700 })
    const canary = { name: 'PADDOCK_VERIFY_TOKEN', value: 'canary-of-the-test' }
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: paths.userHome, [canary.name]: canary.value }
    const machine = inspectMachine(env, paths)
    const result = await verify(
      {
        launcher: (names) =>
          cellLauncher({
            machine,
            backend: bubblewrap({ searchPath: env.PATH, sessionEnv: {} }),
            audit: () => undefined,
            stateDirectory: paths.state,
            graceMs: 500,
            ...names,
          }),
        backend: 'bubblewrap',
        machine,
        state: paths.state,
        config: paths.config,
        temporary,
        endLines,
        canary,
      },
      { egress, parallel: 1, only: [id] },
    )
    return result.guarantees[0]
  } finally {
    await removeTree(root)
  }
}
