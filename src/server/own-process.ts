import { AsyncLocalStorage } from 'node:async_hooks'
import { errorsVariable, PaddockError, printedError } from '../base/errors.ts'
import { execFile } from '../system/start-program.ts'
import { FairPool } from './fair-pool.ts'

const patienceMs = 10 * 60_000
const mostBytes = 256 * 1024 * 1024
/** Each command is a process of about 60 MB. */
const limits = { atOnce: 4, ofOne: 3, waiting: 64 }

/** Who the current request is from. Each caller gets a share of the commands; work of the server itself has one of its own. */
export const commandCaller = new AsyncLocalStorage<string>()

export interface CommandInput {
  /** The standard input of the command; empty by default. */
  readonly input?: string
  /** True if the command prints one JSON value per line; the result is then a list. */
  readonly lines?: boolean
}

/** Runs Paddock with these arguments in another process and returns its JSON output. */
export type OwnProcess = (words: readonly string[], input?: CommandInput) => Promise<unknown>

/**
 * Returns an `OwnProcess`. `program`: the program and arguments that start Paddock. Work on copies reads agents' files, a vault contains
 * secrets, and reading logs takes time: none of that belongs in a server.
 * @throws PaddockError with the code and message of the command; BUSY if too many wait, and most of them are of this caller
 */
export function ownProcess(program: readonly string[], env: NodeJS.ProcessEnv): OwnProcess {
  const [first = '', ...rest] = program
  const own = { ...env, [errorsVariable]: 'json' }
  const options = { cwd: '/', env: own, timeout: patienceMs, killSignal: 'SIGKILL', maxBuffer: mostBytes } as const
  const run: OwnProcess = (words, { input = '', lines = false } = {}) =>
    new Promise((resolve, reject) => {
      const child = execFile(first, [...rest, ...words], options, (error, stdout, stderr) => {
        const printed = stdout.trim()
        try {
          if (lines && error === null) resolve(printed === '' ? [] : printed.split('\n').map((line) => JSON.parse(line) as unknown))
          else if (printed !== '' && !lines) resolve(JSON.parse(printed))
          else reject(printedError(stderr))
        } catch (cause) {
          // The output was cut off: it contains what agents wrote, and may have any size.
          reject(new PaddockError('CELL_FAILED', 'The answer of the command is too large, or not JSON.', { cause }))
        }
      })
      // The command may have ended without reading its input.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
    })
  const busy = () => new PaddockError('BUSY', 'The server is too busy to look this up.', { hint: 'Try again in a minute' })
  const pool = new FairPool(limits, busy)
  return (words, input) => pool.run(commandCaller.getStore() ?? 'server', () => run(words, input))
}
