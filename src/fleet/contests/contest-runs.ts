import { PaddockError } from '../../base/errors.ts'
import { type CommandRun, CommandRuns, type RunFacts } from './command-runs.ts'

/** `done`: there is a report. */
export type ContestRun = CommandRun<RunFacts>

export interface ContestOrder extends RunFacts {
  /** Whether participants and judges that could not finish run again. */
  readonly retry: boolean
  /** The most cells that run at the same time; by default as many as the machine has room for. */
  readonly parallel?: number | undefined
}

/** The contests of a fleet. Each run is a `paddock contest run` that outlives the server. */
export class ContestRuns {
  readonly #runs: CommandRuns<RunFacts>

  constructor(root: string, program: readonly string[], env: NodeJS.ProcessEnv, state: string) {
    this.#runs = new CommandRuns('contest', root, program, env, state)
  }

  /** Starts a contest. @throws PaddockError CONFLICT if this contest is running */
  async start({ directory, requestedBy, retry, parallel }: ContestOrder): Promise<ContestRun> {
    const words = [...(retry ? ['--retry'] : []), ...(parallel === undefined ? [] : ['--parallel', String(parallel)])]
    return await this.#runs.start({ directory, requestedBy }, ['contest', 'run', '--json', '--quiet', ...words, '--', directory])
  }

  /** As in `CommandRuns`. */
  isAtWork(directory: string, all?: readonly ContestRun[]): Promise<boolean> {
    return this.#runs.isAtWork(directory, all)
  }

  /**
   * Throws while any process works on the contest of a directory, because judges must not see the scores of a round before they are done.
   * @throws PaddockError CONFLICT
   */
  async refuseAtWork(directory: string): Promise<void> {
    if (await this.isAtWork(directory))
      throw new PaddockError('CONFLICT', 'The scores of a running round are sealed.', { hint: 'Wait for its end, or cancel it' })
  }

  /** Returns all contests, newest first. */
  list(): Promise<readonly ContestRun[]> {
    return this.#runs.list()
  }

  get(id: string): Promise<ContestRun | null> {
    return this.#runs.get(id)
  }

  /** Asks the process to end its cells and then itself. Returns false if it is not running. */
  cancel(id: string): Promise<boolean> {
    return this.#runs.cancel(id)
  }

  /** Deletes the record of a contest that has ended. The contest's directory does not change. */
  forget(id: string): Promise<void> {
    return this.#runs.forget(id)
  }
}
