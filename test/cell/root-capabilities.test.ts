import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { command, isRoot, makeStage } from '../support/cli.ts'

const run = promisify(execFile)

test.for(['kill', 'setgid', 'setuid', 'sys_chroot', 'sys_admin', 'net_bind_service', 'net_admin', 'sys_ptrace'])(
  '16: a root without CAP_%s is refused with the name of the capability',
  async (name, { skip }) => {
    skip(!isRoot, 'needs root')
    using stage = makeStage('root')
    const capability = `CAP_${name.toUpperCase()}`
    const without = async (...args: string[]): Promise<string> => {
      const line = [`--bounding-set=-${name}`, '--', ...command('root', args)]
      const { stderr, stdout } = await run('setpriv', line, { cwd: stage.project, env: stage.env }).catch((error) => error)
      return stdout + stderr
    }
    expect(await without('run', '--allow', 'a.invalid', '--quiet', '--', 'true')).toBe(
      `paddock: UNENFORCEABLE: Cells of root need ${capability}, which root lacks here.\n` +
        '  hint: Run Paddock as an ordinary user, or give root these capabilities, for example with --cap-add of docker run\n',
    )
    expect(await without('doctor')).toContain(`root lacks ${capability}`)
  },
)
