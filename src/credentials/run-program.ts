import { spawn } from '../system/start-program.ts'

/** The end of a program on the host. `stdout` may contain a secret, which its reader must zero. */
export type ProgramEnd =
  | { readonly kind: 'ended'; readonly code: number | null; readonly stdout: Buffer; readonly stderr: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'hung' }

const maxBytes = 1024 ** 2

/**
 * Runs a program that returns or takes secrets, in its own process group. After `patienceMs` the whole group is killed, even if a
 * child keeps the pipes open. Secrets are passed on standard input and never as arguments.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string | undefined>>; readonly patienceMs: number; readonly input?: Uint8Array },
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...options.env }, stdio: ['pipe', 'pipe', 'pipe'], detached: true, cwd: '/' })
    const chunks: Buffer[] = []
    let size = 0
    let stderr = ''
    const done = (end: ProgramEnd): void => {
      clearTimeout(timer)
      for (const each of [child.stdin, child.stdout, child.stderr]) each.destroy()
      resolve(end)
    }
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The whole group has already ended.
      }
    }
    const timer = setTimeout(() => {
      kill()
      done({ kind: 'hung' })
    }, options.patienceMs)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else kill()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4_096) stderr += chunk.toString('latin1')
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
    child.once('error', () => done({ kind: 'missing' }))
    child.once('close', (code) => {
      const stdout = Buffer.concat(chunks)
      for (const each of chunks) each.fill(0)
      done({ kind: 'ended', code, stdout, stderr })
    })
  })
}
