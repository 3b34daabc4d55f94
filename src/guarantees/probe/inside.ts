import type { CellReport } from '../../cell/report.ts'

/** The first argument of a script in the cell: Node's own modules, and helpers for attempts. The cell's Node creates it in `program()`. */
export interface Inside {
  readonly fs: typeof import('node:fs')
  readonly net: typeof import('node:net')
  readonly dgram: typeof import('node:dgram')
  readonly dns: typeof import('node:dns')
  readonly tls: typeof import('node:tls')
  readonly http: typeof import('node:http')
  readonly https: typeof import('node:https')
  readonly http2: typeof import('node:http2')
  readonly os: typeof import('node:os')
  readonly path: typeof import('node:path')
  readonly childProcess: typeof import('node:child_process')
  /** The cell's environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns `ok`, or the code of the error that was thrown (`ENOENT`, `EROFS`, …). */
  attempt(act: () => unknown): string
  /** Returns `connected`, the code of the error, or `timeout`. */
  connect(to: { readonly host: string; readonly port: number } | { readonly path: string }, ms?: number): Promise<string>
  /** Runs a shell script. `code` is null if a signal ended it. */
  sh(script: string, ms?: number): { readonly code: number | null; readonly stdout: string; readonly stderr: string }
  /** Runs a Perl script, for direct system calls (`syscall`, perlfunc(1)). Null if the cell has no Perl. */
  perl(script: string, ...args: string[]): { readonly code: number | null; readonly stdout: string; readonly stderr: string } | null
}

/**
 * A function that runs in the cell. It is sent as text, so it may use only its two arguments, the language and Node's globals, but nothing
 * from its file. Its second argument and its result are JSON.
 */
export type InsideScript<Given, Result> = (inside: Inside, given: Given) => Result | Promise<Result>

/** The result of a cell that ran a script. */
export interface InsideResult<Result> {
  readonly result: Result
  readonly report: CellReport
  readonly stdout: string
  readonly stderr: string
}

export const resultMark = '\u0001paddock-result\u0001'

/** Returns the program for `node -e`. The program's only argument is the script's second argument as JSON. */
export function program(script: InsideScript<never, unknown>): string {
  return `
const load = (name) => require('node:' + name)
const text = (value) => (value === null || value === undefined ? '' : String(value))
const run = (file, args, ms) => {
  const done = load('child_process').spawnSync(file, args, { timeout: ms, encoding: 'utf8', maxBuffer: 1 << 20 })
  return done.error?.code === 'ENOENT' ? null : { code: done.status, stdout: text(done.stdout), stderr: text(done.stderr) }
}
const inside = {
  fs: load('fs'), net: load('net'), dgram: load('dgram'), dns: load('dns'), tls: load('tls'), http: load('http'), https: load('https'), http2: load('http2'),
  os: load('os'), path: load('path'), childProcess: load('child_process'), env: process.env,
  attempt(act) { try { act(); return 'ok' } catch (error) { return error.code ?? error.message } },
  connect(to, ms = 3000) {
    return new Promise((resolve) => {
      const socket = load('net').connect(to)
      const end = (how) => { clearTimeout(timer); socket.destroy(); resolve(how) }
      const timer = setTimeout(() => end('timeout'), ms)
      socket.once('connect', () => end('connected'))
      socket.once('error', (error) => end(error.code ?? error.message))
    })
  },
  sh: (script, ms = 10000) => run('/bin/sh', ['-c', script], ms),
  perl: (script, ...args) => run('perl', ['-e', script, ...args], 10000),
}
const script = (${script.toString()})
Promise.resolve().then(() => script(inside, JSON.parse(process.argv[1]))).then(
  (result) => process.stdout.write(${JSON.stringify(resultMark)} + JSON.stringify(result ?? null) + '\\n', () => process.exit(0)),
  (error) => { process.stderr.write(String(error?.stack ?? error) + '\\n'); process.exit(70) },
)
`
}
