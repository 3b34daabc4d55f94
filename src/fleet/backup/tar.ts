import { spawn } from 'node:child_process'
import { PaddockError } from '../../errors.ts'
import { systemPath, systemProgram } from '../../system/system-program.ts'

/** Exit code of GNU tar if files changed while they were read. The archive contains them as they were when they were read. */
const someDiffer = 1

/**
 * Runs tar(1). `into`: the descriptor for its output. The names of agents' files cannot become options, because only directories are
 * named on the command line.
 * @throws PaddockError `FILES_FAILED` with the first line of its output
 */
export async function tar(
  args: readonly string[],
  options: { readonly cwd: string; readonly stdin?: number; readonly stdout?: number },
): Promise<void> {
  const { cwd, stdin = 'ignore', stdout = 'ignore' } = options
  const program = systemProgram('tar')
  if (program === null) throw new PaddockError('FILES_FAILED', 'tar is not installed on this machine.', { hint: 'Install tar' })
  const child = spawn(program, args, { cwd, env: { PATH: systemPath, LC_ALL: 'C' }, stdio: [stdin, stdout, 'pipe'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 4096) said += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new PaddockError('FILES_FAILED', `tar could not be started: ${error.message}`, { hint: 'Install tar' })),
    )
    child.once('close', resolve)
  })
  if (code !== 0 && code !== someDiffer)
    throw new PaddockError('FILES_FAILED', `tar failed: ${said.trim().split('\n')[0] ?? `exit code ${code}`}`, {
      hint: 'Check that the disk has room',
    })
}
