import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { errorsVariable, PaddockError, printedError } from '../base/errors.ts'
import { printable } from '../base/text.ts'
import type { CellReport } from '../cell/report.ts'
import { spawn } from '../system/start-program.ts'
import { type CellOptions, runWords } from './cell-options.ts'

/** Number of characters at the end of standard error that are kept to find the cause of a failure. */
const mostKept = 64 * 1024

/** The launcher: one level above the bundle of this file, two above its source. */
const launcher =
  ['../bin/paddock.mjs', '../../bin/paddock.mjs']
    .map((each) => fileURLToPath(new URL(each, import.meta.url)))
    .find((each) => existsSync(each)) ?? ''

/** A process of `paddock run`. Its cell ends with it, and both end with this process. */
export interface RunProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves when the process has ended and its output was read. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>
  /** Ends the cell: SIGTERM, a pause, SIGKILL. */
  stop(): void
  /**
   * Returns the report of the ended cell.
   * @throws PaddockError the refusal of `paddock run` if there was no cell, or CANCELLED if the caller's signal was aborted
   */
  report(): Promise<CellReport>
}

/**
 * Starts `paddock run` in a process of its own, so that the configuration, trust and refusals are those of the command line, and no global
 * state of this process changes.
 */
export function startRun(words: readonly string[], options: CellOptions): RunProcess {
  const { signal, onNotice, cwd, env = {} } = options
  if (signal?.aborted === true) throw cancelled(signal)
  const place = mkdtempSync(path.join(tmpdir(), 'paddock-report-'))
  const file = path.join(place, 'report.json')
  const settings = runWords(options)
  const quiet = onNotice === undefined ? ['--quiet'] : []
  const child = spawn(process.execPath, [launcher, 'run', `--report=${file}`, ...quiet, ...settings.words, ...words], {
    cwd: path.resolve(cwd ?? '.'),
    // Descriptor 3 is closed when this process ends, which stops the child: see listenForSignals.
    env: { ...env, ...settings.env, [errorsVariable]: 'json', PADDOCK_LAUNCHER: '3' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('a child with pipes has pipes')
  // The process may exit without reading its input.
  stdin.on('error', () => undefined)
  const stop = (): void => void child.kill('SIGTERM')
  signal?.addEventListener('abort', stop)
  const ended = endOf(child, onNotice).finally(() => signal?.removeEventListener('abort', stop))
  const report = (async (): Promise<CellReport> => {
    try {
      const { stderr } = await ended
      if (signal?.aborted === true) throw cancelled(signal)
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as CellReport
      } catch {
        throw printedError(stderr)
      }
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })()
  report.catch(() => undefined)
  return { stdin, stdout, ended, stop, report: () => report }
}

function cancelled(signal: AbortSignal): PaddockError {
  return new PaddockError('CANCELLED', 'The cell was cancelled by its caller.', { cause: signal.reason })
}

function endOf(child: ChildProcess, onNotice: CellOptions['onNotice']): RunProcess['ended'] {
  let [stderr, line] = ['', '']
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-mostKept)
    if (onNotice === undefined) return
    const lines = (line + chunk).split('\n')
    line = (lines.pop() ?? '').slice(-mostKept)
    // The error output of an agent is among them.
    for (const each of lines) onNotice(printable(each))
  })
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const { message } = new PaddockError('CELL_FAILED', error.message)
      resolve({
        code: null,
        stderr: JSON.stringify({ error: { code: 'CELL_FAILED', message: `Paddock cannot be started: ${message}.`, hint: null } }),
      })
    })
    child.once('close', (code) => resolve({ code, stderr }))
  })
}
