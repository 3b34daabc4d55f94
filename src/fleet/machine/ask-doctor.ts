import { PaddockError } from '../../base/errors.ts'
import { execFile } from '../../system/start-program.ts'
import { type Capabilities, capabilitiesSchema } from './capabilities.ts'

const patienceMs = 60_000
const mostBytes = 1024 * 1024

/**
 * Runs another process to find out what this machine can enforce. The check has to start a cell, which a server must not do. `command`: the
 * program and arguments that start `paddock`.
 * @throws PaddockError CELL_FAILED if the process gives no answer
 */
export async function lookAround([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<Capabilities> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { env, timeout: patienceMs, killSignal: 'SIGKILL', maxBuffer: mostBytes } as const
    // The process exits with 1 if cells cannot be started, which its answer reports.
    execFile(program, [...args, 'doctor', '--json'], options, (error, stdout, stderr) => {
      if (stdout !== '') resolve(stdout)
      else reject(new PaddockError('CELL_FAILED', `What this machine can enforce is not known: ${stderr.trim() || error?.message}`))
    })
  })
  return capabilitiesSchema.parse(JSON.parse(text))
}
