import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../base/errors.ts'
import { printable } from '../base/text.ts'
import type { CellReport } from '../cell/report.ts'
import type { CellOptions } from './cell-options.ts'
import { type ExecFrame, ExecFrames } from './exec-frames.ts'
import { startRun } from './run-process.ts'

/** The most bytes of one output of a command that are kept. */
const mostKept = 64 * 1024 * 1024

export interface CommandOptions {
  /** The working directory in the cell. Default: that of the cell. */
  readonly cwd?: string
  readonly variables?: Readonly<Record<string, string>>
  /** The standard input. Default: empty. */
  readonly input?: string | Uint8Array
  /** Called with each piece of output as it comes. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void
  /** When aborted, ends the command and the processes of its group (SIGTERM, and after two seconds SIGKILL). */
  readonly signal?: AbortSignal
}

export interface CommandResult {
  /** The exit code; null if a signal ended the command. */
  readonly exitCode: number | null
  /** The number of the signal that ended the command; null if it exited (signal(7)). */
  readonly signal: number | null
  /** The output as UTF-8, at most 64 MiB. */
  readonly stdout: string
  readonly stderr: string
}

/** A cell that runs commands until it is closed. All share its files, processes and network, and its limits hold for them together. */
export interface OpenCell extends AsyncDisposable {
  /**
   * Runs a command: a program of the cell's PATH and its arguments, without a shell. Several can run at once. Processes that it leaves behind
   * run until the cell is closed; what they print later is dropped.
   *
   * Rejects with a `PaddockError`: NOT_FOUND if the program cannot be started, CANCELLED if `signal` was aborted, CELL_FAILED if the cell
   * ended meanwhile.
   */
  run(command: readonly string[], options?: CommandOptions): Promise<CommandResult>
  /** Ends all commands and the cell, and returns its report. Later calls return the same one. */
  close(): Promise<CellReport>
}

interface Job {
  readonly outputs: Readonly<Record<'stdout' | 'stderr', { readonly chunks: Buffer[]; bytes: number }>>
  readonly options: CommandOptions
  readonly resolve: (result: CommandResult) => void
  readonly reject: (error: unknown) => void
}

export async function openCell(options: CellOptions): Promise<OpenCell> {
  const server = readFileSync(fileURLToPath(new URL('./exec-server.pl', import.meta.url)), 'utf8')
  const run = startRun(['--', '/usr/bin/perl', '-e', server], options)
  const jobs = new Map<string, Job>()
  let last = 0
  let isOpen = true
  const { promise: ready, resolve: isReady, reject: isRefused } = Promise.withResolvers<void>()
  ready.catch(() => undefined)
  const frames = new ExecFrames()
  run.stdout.on('data', (chunk: Buffer) => {
    try {
      for (const each of frames.read(chunk))
        if (each.type === 'ready') isReady()
        else hear(jobs, each)
    } catch {
      run.stop()
    }
  })
  void run.ended.then(async () => {
    isOpen = false
    const error = await run.report().then(
      () => new PaddockError('CELL_FAILED', 'The cell ended.'),
      (refusal: unknown) => refusal,
    )
    isRefused(error)
    for (const { reject } of jobs.values()) reject(error)
  })
  await ready
  const send = (...words: readonly string[]): void => void run.stdin.write(`${words.join(' ')}\n`)
  const close = async (): Promise<CellReport> => {
    run.stdin.end()
    return await run.report()
  }
  return {
    close,
    async [Symbol.asyncDispose]() {
      await close().catch(() => undefined)
    },
    async run(command, by = {}) {
      if (command.length === 0 || command[0] === '')
        throw new PaddockError('BAD_INPUT', 'The command is empty.', {
          hint: "Give a program and its arguments, for example ['make', 'test']",
        })
      const variables = Object.entries(by.variables ?? {})
      const wrong = variables.find(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      if (wrong !== undefined) throw new PaddockError('BAD_INPUT', `"${wrong[0]}" is not the name of an environment variable.`)
      if ([by.cwd ?? '', ...command, ...variables.map(([, value]) => value)].some((each) => each.includes('\0')))
        throw new PaddockError('BAD_INPUT', 'A command must not contain a NUL byte.')
      if (by.signal?.aborted === true) throw stopped(by.signal)
      if (!isOpen) throw new PaddockError('CELL_FAILED', 'The cell ended.')
      const id = String(++last)
      const { promise, resolve, reject } = Promise.withResolvers<CommandResult>()
      const output = () => ({ chunks: [], bytes: 0 })
      jobs.set(id, { outputs: { stdout: output(), stderr: output() }, options: by, resolve, reject })
      send('run', id, hex(by.cwd ?? ''), hex(list(variables.map(([name, value]) => `${name}=${value}`))), hex(list(command)))
      if (by.input !== undefined) send('in', id, Buffer.from(by.input).toString('hex'))
      send('eof', id)
      let timer: NodeJS.Timeout | undefined
      const abort = (): void => {
        send('signal', id, '15')
        timer = setTimeout(() => send('signal', id, '9'), 2_000)
      }
      by.signal?.addEventListener('abort', abort)
      try {
        return await promise.finally(() => {
          if (by.signal?.aborted === true) throw stopped(by.signal)
        })
      } finally {
        clearTimeout(timer)
        by.signal?.removeEventListener('abort', abort)
        jobs.delete(id)
      }
    },
  }
}

function hear(jobs: ReadonlyMap<string, Job>, frame: Exclude<ExecFrame, { type: 'ready' }>): void {
  const job = jobs.get(frame.id)
  if (job === undefined) return
  const { outputs, options, resolve, reject } = job
  if (frame.type === 'output') {
    const output = outputs[frame.stream]
    if (output.bytes < mostKept) output.chunks.push(frame.bytes.subarray(0, mostKept - output.bytes))
    output.bytes += frame.bytes.length
    options.onOutput?.(frame.stream, frame.bytes)
  } else if (frame.type === 'exit') {
    const { code, signal } = frame
    const [stdout, stderr] = [outputs.stdout, outputs.stderr].map(({ chunks }) => Buffer.concat(chunks).toString('utf8'))
    resolve({ exitCode: signal === 0 ? code : null, signal: signal === 0 ? null : signal, stdout: stdout ?? '', stderr: stderr ?? '' })
  } else reject(new PaddockError('NOT_FOUND', `The command cannot be started: ${printable(frame.why)}.`))
}

function stopped(signal: AbortSignal): PaddockError {
  return new PaddockError('CANCELLED', 'The command was cancelled by its caller.', { cause: signal.reason })
}

const hex = (text: string): string => Buffer.from(text).toString('hex')
const list = (items: readonly string[]): string => items.map((each) => `${each}\0`).join('')
