import { PaddockError } from '../base/errors.ts'
import { runProgram } from '../credentials/run-program.ts'
import type { Remote } from './remote-store.ts'
import { isMissing, notThere, paddockThere, type SshMeans, sshError, sshProgram, sshWords } from './ssh.ts'

/** The exit code of ssh if the connection fails, and not the command. */
const sshFailed = 255

/**
 * Runs a command of Paddock on another machine, and returns what it printed and its exit code.
 * @param patienceMs milliseconds after which it counts as failed.
 * @throws PaddockError CELL_FAILED if the machine cannot be reached, or does not answer
 */
export async function runThere(
  remote: Remote,
  words: readonly string[],
  means: SshMeans,
  patienceMs: number,
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const ended = await runProgram(sshProgram(means), sshWords(remote, means, paddockThere(remote, words, means)), {
    env: means.env,
    patienceMs,
  })
  if (ended.kind !== 'ended') throw new PaddockError('CELL_FAILED', `${remote.name}: no answer within ${patienceMs / 1_000} s.`)
  const stdout = ended.stdout.toString('utf8')
  if (ended.code !== sshFailed && stdout !== '') return { code: ended.code, stdout }
  if (isMissing(ended.code)) throw notThere(remote, ended.stderr)
  throw sshError(remote, ended.stderr)
}
