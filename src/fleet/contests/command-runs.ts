import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs'
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

/** What is recorded about the run of a command. */
export interface RunFacts {
  /** The real path of the directory of the contest or suite. */
  readonly directory: string
  readonly requestedBy: string
}

/** `done`: the command printed its result. `failed`: it ended without one, and another run continues where this one stopped. */
type RunState = 'running' | 'done' | 'failed' | 'cancelled'

interface Started {
  readonly id: string
  /** ISO 8601. */
  readonly startedAt: string
}

export type CommandRun<Facts extends RunFacts> = Facts &
  Started & {
    readonly state: RunState
    /** The reason why the command ended without a result, in one sentence, or null. */
    readonly problem: string | null
  }

/** The stored record of a run. */
type Kept<Facts> = Facts & Started & { readonly process: ProcessIdentity }

/**
 * Runs of commands on contests or suites. Each is a separate process, which outlives the server. Its record and its output are in a
 * directory under `root`.
 */
export class CommandRuns<Facts extends RunFacts> {
  readonly #kind: 'contest' | 'suite'
  readonly #root: string
  readonly #program: readonly string[]
  readonly #env: NodeJS.ProcessEnv
  readonly #state: string

  /** `state`: Paddock's state directory, where any process that works on a contest or suite holds its lock. */
  constructor(kind: 'contest' | 'suite', root: string, program: readonly string[], env: NodeJS.ProcessEnv, state: string) {
    this.#kind = kind
    this.#state = state
    this.#root = root
    this.#program = program
    this.#env = { ...env, [errorsVariable]: 'json' }
  }

  /** Starts a command. `words`: its arguments. @throws PaddockError CONFLICT if another one runs in the same directory */
  async start(facts: Facts, words: readonly string[]): Promise<CommandRun<Facts>> {
    const { directory } = facts
    const other = (await this.list()).find((each) => each.state === 'running' && each.directory === directory)
    if (other !== undefined) throw new PaddockError('CONFLICT', `The ${this.#kind} in ${directory} is running: ${other.id}.`)
    const id = newId(this.#kind)
    const files = this.#files(id)
    mkdirSync(files.root, { recursive: true, mode: 0o700 })
    const identity = await this.#spawn(words, files)
    const kept: Kept<Facts> = { id, ...facts, startedAt: new Date().toISOString(), process: identity }
    await writeJson(files.kept, kept, { mode: 0o600 })
    return this.#seen(kept)
  }

  /**
   * Returns true while any process works on a directory: under another record than the one that is asked for, or started from a command
   * line. `all`: all runs, if they were just listed.
   */
  async isAtWork(directory: string, all?: readonly CommandRun<Facts>[]): Promise<boolean> {
    if ((all ?? (await this.list())).some((each) => each.state === 'running' && each.directory === directory)) return true
    const lock = await contestLock({ root: directory }, { state: this.#state }).catch(() => null)
    return lock !== null && (await isHeld(lock))
  }

  /** Returns all runs, newest first. */
  async list(): Promise<readonly CommandRun<Facts>[]> {
    const all = await Promise.all(this.#ids().map((id) => this.get(id)))
    return all.filter((each) => each !== null).sort((one, other) => other.startedAt.localeCompare(one.startedAt))
  }

  async get(id: string): Promise<CommandRun<Facts> | null> {
    const kept = await this.#kept(id)
    return kept === null ? null : this.#seen(kept)
  }

  /** Returns what a run printed to standard output. Empty if it cannot be read. */
  async output(id: string): Promise<string> {
    if (!idPatterns[this.#kind].test(id)) return ''
    const read = await readRegular(this.#files(id).stdout, mostBytes)
    return read.ok ? read.bytes.toString('utf8') : ''
  }

  /** Asks the process to end its cells and then itself. Returns false if it is not running. */
  async cancel(id: string): Promise<boolean> {
    const kept = await this.#kept(id)
    if (kept === null || !(await isRunning(kept.process))) return false
    process.kill(kept.process.pid, 'SIGTERM')
    return true
  }

  /** Deletes the record of a run that has ended. The directory of the contest or suite does not change. */
  async forget(id: string): Promise<void> {
    await removeTree(this.#files(id).root)
  }

  #ids(): readonly string[] {
    try {
      return readdirSync(this.#root).filter((each) => idPatterns[this.#kind].test(each))
    } catch {
      return []
    }
  }

  #files(id: string) {
    const root = path.join(this.#root, id)
    const kept = path.join(root, `${this.#kind}.json`)
    return { root, kept, stdout: path.join(root, 'stdout.log'), stderr: path.join(root, 'stderr.log') }
  }

  async #kept(id: string): Promise<Kept<Facts> | null> {
    if (!idPatterns[this.#kind].test(id)) return null
    const read = await readRegular(this.#files(id).kept, mostBytes)
    return read.ok ? (JSON.parse(read.bytes.toString('utf8')) as Kept<Facts>) : null
  }

  async #seen(kept: Kept<Facts>): Promise<CommandRun<Facts>> {
    const { process, ...facts } = kept
    const seen = (state: RunState, problem: string | null): CommandRun<Facts> => ({ ...(facts as Facts & Started), state, problem })
    if (await isRunning(process)) return seen('running', null)
    const files = this.#files(kept.id)
    // The process prints its result last.
    if ((lstatSync(files.stdout, { throwIfNoEntry: false })?.size ?? 0) > 0) return seen('done', null)
    const stderr = await readRegular(files.stderr, mostBytes)
    const error = printedError(stderr.ok ? stderr.bytes.toString('utf8') : '')
    return seen(error.code === 'CANCELLED' ? 'cancelled' : 'failed', error.message)
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
      throw new PaddockError('CELL_FAILED', `The ${this.#kind} could not be started: ${messageOf(error)}.`, { cause: error })
    } finally {
      closeSync(stdout)
      closeSync(stderr)
    }
  }
}
