import { execFile } from 'node:child_process'
import { type ErrorCode, exitCodes, PaddockError } from '../../errors.ts'

const patienceMs = 10 * 60_000
const mostBytes = 256 * 1024 * 1024

/**
 * Runs a command of this Paddock in a process of its own and returns what it prints as JSON. `program`: the words that start it. Work on
 * copies reads what agents wrote, and none of that belongs into a server.
 * @throws PaddockError with the sentence and the hint of the command
 */
export async function ownCommand(program: readonly string[], words: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const [first = '', ...rest] = program
  return new Promise((resolve, reject) => {
    const options = { cwd: '/', env, timeout: patienceMs, killSignal: 'SIGKILL', maxBuffer: mostBytes } as const
    execFile(first, [...rest, ...words], options, (error, stdout, stderr) => {
      if (stdout.trim() !== '') resolve(JSON.parse(stdout))
      else reject(failure(error === null ? null : (error.code ?? null), stderr))
    })
  })
}

const codes: Readonly<Record<number, ErrorCode>> = { [exitCodes.no]: 'CONFLICT', [exitCodes.badInput]: 'BAD_INPUT' }

function failure(code: number | string | null, stderr: string): PaddockError {
  const message = /^paddock: (.+(?:\n(?! {2}hint: )[^\n]+)*)/m.exec(stderr)?.[1] ?? 'The command ended without an answer.'
  const hint = /^ {2}hint: (.+)$/m.exec(stderr)?.[1]
  return new PaddockError(codes[Number(code)] ?? 'FILES_FAILED', message, hint === undefined ? {} : { hint })
}
