import { closeSync, constants, mkdirSync, openSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { errorsVariable, messageOf, PaddockError, printedError } from '../../base/errors.ts'
import { contestLock } from '../../contest/state/contest-lock.ts'
import { writeJson } from '../../files/atomic.ts'
import { isHeld } from '../../files/lock.ts'
import { readRegular } from '../../files/read-regular.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { identify, isRunning, type ProcessIdentity } from '../../system/process-identity.ts'
import { spawn } from '../../system/start-program.ts'
import { idPatterns, newId } from '../ids.ts'

const mostBytes = 64 * 1024 * 1024

/** The stored record of a contest that was started over the API. */
interface Kept {
  readonly id: string
  readonly directory: string
  readonly requestedBy: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly process: ProcessIdentity
}

export interface ContestRun extends Omit<Kept, 'process'> {
  /** `done`: there is a report. `failed`: the run ended without one, and another run continues where this one stopped. */
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  /** The reason why the run ended without a report, in one sentence, or null. */
  readonly problem: string | null
}

export interface ContestOrder {
  /** The real path of the contest's directory. */
  readonly directory: string
  readonly requestedBy: string
  /** Whether participants and judges that could not finish run again. */
  readonly retry: boolean
  /** The most cells that run at the same time; by default as many as the machine has room for. */
  readonly parallel?: number | undefined
}

/**
 * The contests of a fleet. Each runs in a separate process, a `paddock contest run` that outlives the server. Its record and its output
 * are in a directory next to the agents.
 */
export class ContestRuns {
  readonly #root: string
  readonly #program: readonly string[]
  readonly #env: NodeJS.ProcessEnv
  readonly #state: string

  /** `state`: Paddock's state directory, where any process that works on a contest holds the contest's lock. */
  constructor(root: string, program: readonly string[], env: NodeJS.ProcessEnv, state: string) {
    this.#state = state
    this.#root = root
    this.#program = program
    this.#env = { ...env, [errorsVariable]: 'json' }
  }

  /** Starts a contest. @throws PaddockError CONFLICT if this contest is running */
  async start({ directory, requestedBy, retry, parallel }: ContestOrder): Promise<ContestRun> {
    const other = (await this.list()).find((each) => each.state === 'running' && each.directory === directory)
    if (other !== undefined) throw new PaddockError('CONFLICT', `The contest in ${directory} is running: ${other.id}.`)
    const id = newId('contest')
    const files = this.#files(id)
    mkdirSync(files.root, { recursive: true, mode: 0o700 })
    const words = [...(retry ? ['--retry'] : []), ...(parallel === undefined ? [] : ['--parallel', String(parallel)])]
    const identity = await this.#spawn(['contest', 'run', '--json', '--quiet', ...words, '--', directory], files)
    const kept: Kept = { id, directory, requestedBy, startedAt: new Date().toISOString(), process: identity }
    await writeJson(files.kept, kept, { mode: 0o600 })
    return this.#seen(kept)
  }

  /**
   * Returns true while any process works on the contest of a directory: under another record than the one that is asked for, or started
   * from a command line. `all`: all contests, if they were just listed.
   */
  async isAtWork(directory: string, all?: readonly ContestRun[]): Promise<boolean> {
    if ((all ?? (await this.list())).some((each) => each.state === 'running' && each.directory === directory)) return true
    const lock = await contestLock({ root: directory }, { state: this.#state }).catch(() => null)
    return lock !== null && (await isHeld(lock))
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
  async list(): Promise<readonly ContestRun[]> {
    const all = await Promise.all(this.#ids().map((id) => this.get(id)))
    return all.filter((each) => each !== null).sort((one, other) => other.startedAt.localeCompare(one.startedAt))
  }

  async get(id: string): Promise<ContestRun | null> {
    const kept = await this.#kept(id)
    return kept === null ? null : this.#seen(kept)
  }

  /** Asks the process to end its cells and then itself. Returns false if it is not running. */
  async cancel(id: string): Promise<boolean> {
    const kept = await this.#kept(id)
    if (kept === null || !(await isRunning(kept.process))) return false
    process.kill(kept.process.pid, 'SIGTERM')
    return true
  }

  /** Deletes the record of a contest that has ended. The contest's directory does not change. */
  async forget(id: string): Promise<void> {
    await removeTree(this.#files(id).root)
  }

  #ids(): readonly string[] {
    try {
      return readdirSync(this.#root).filter((each) => idPatterns.contest.test(each))
    } catch {
      return []
    }
  }

  #files(id: string) {
    const root = path.join(this.#root, id)
    return { root, kept: path.join(root, 'contest.json'), stdout: path.join(root, 'stdout.log'), stderr: path.join(root, 'stderr.log') }
  }

  async #kept(id: string): Promise<Kept | null> {
    if (!idPatterns.contest.test(id)) return null
    const read = await readRegular(this.#files(id).kept, mostBytes)
    return read.ok ? (JSON.parse(read.bytes.toString('utf8')) as Kept) : null
  }

  async #seen({ process, ...kept }: Kept): Promise<ContestRun> {
    if (await isRunning(process)) return { ...kept, state: 'running', problem: null }
    const files = this.#files(kept.id)
    const [stdout, stderr] = await Promise.all([readRegular(files.stdout, mostBytes), readRegular(files.stderr, mostBytes)])
    // The process prints its result last.
    if (stdout.ok && stdout.bytes.length > 0) return { ...kept, state: 'done', problem: null }
    const error = printedError(stderr.ok ? stderr.bytes.toString('utf8') : '')
    return { ...kept, state: error.code === 'CANCELLED' ? 'cancelled' : 'failed', problem: error.message }
  }

  /** Starts the process in its own session, so that signals to the server's process group do not reach it. */
  async #spawn(words: readonly string[], files: { readonly stdout: string; readonly stderr: string }): Promise<ProcessIdentity> {
    const [first = '', ...rest] = this.#program
    const open = (file: string): number =>
      openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
    const [stdout, stderr] = [open(files.stdout), open(files.stderr)]
    try {
      const child = spawn(first, [...rest, ...words], { cwd: '/', env: this.#env, detached: true, stdio: ['ignore', stdout, stderr] })
      await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
      child.unref()
      const identity = await identify(child.pid ?? 0)
      // The process has ended already.
      return identity ?? { pid: child.pid ?? 0, started: 'ended' }
    } catch (error) {
      throw new PaddockError('CELL_FAILED', `The contest could not be started: ${messageOf(error)}.`, { cause: error })
    } finally {
      closeSync(stdout)
      closeSync(stderr)
    }
  }
}
