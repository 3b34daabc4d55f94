import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { exitCodes } from '../src/base/errors.ts'

export interface ChildOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Gets each line of standard error, and of standard output if `keepOutput` is not set. */
  readonly onLine: (line: string) => void
  /** Keeps standard output as text instead. */
  readonly keepOutput?: boolean
  /** After this time, the program is asked to end. */
  readonly timeoutMs?: number | null
  /** Cancels the program. */
  readonly signal?: AbortSignal
}

export interface ChildEnd {
  /** The exit code; 124 after `timeoutMs`, 130 after `signal`, 128 + n after another signal. */
  readonly code: number
  readonly output: string
}

/** The time between SIGTERM and SIGKILL. Paddock gives its cells five seconds. */
const graceMs = 30_000

/**
 * Runs a program without a terminal and without input. It is in a session of its own, so that nothing in it can open the terminal of the
 * runner (setsid(2)), and a signal for the job's group reaches it only through `signal`.
 */
export async function runChild(program: readonly string[], options: ChildOptions): Promise<ChildEnd> {
  const [name = '', ...args] = program
  const { cwd, env, onLine, keepOutput = false, timeoutMs = null, signal } = options
  const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let why: number | null = null
  const end = (code: number): void => {
    why ??= code
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    setTimeout(() => killGroup(child), graceMs).unref()
  }
  const onAbort = (): void => end(exitCodes.cancelled)
  if (signal?.aborted === true) onAbort()
  signal?.addEventListener('abort', onAbort)
  const timer = timeoutMs === null ? null : setTimeout(() => end(exitCodes.timedOut), timeoutMs)
  try {
    const [code, output] = await Promise.all([
      ended(child),
      keepOutput ? text(child.stdout) : lines(child.stdout, onLine),
      lines(child.stderr, onLine),
    ])
    return { code: why ?? code, output }
  } finally {
    if (timer !== null) clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve((error as NodeJS.ErrnoException).code === 'ENOENT' ? exitCodes.notFound : exitCodes.notRunnable))
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)))
  })
}

async function lines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): Promise<string> {
  if (stream !== null) for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) onLine(line)
  return ''
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  const parts: Buffer[] = []
  for await (const each of stream ?? []) parts.push(Buffer.from(each as Buffer))
  return Buffer.concat(parts).toString('utf8')
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
