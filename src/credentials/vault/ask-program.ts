import { PaddockError } from '../../base/errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { spawn } from '../../system/start-program.ts'

export interface Question {
  readonly program: string
  readonly args: readonly string[]
  readonly input: Secret | null
  readonly env: Readonly<Record<string, string>>
  readonly timeLimitMs?: number
  /** The way to install the program if it is missing. */
  readonly install: string
}

export interface Answer {
  readonly code: number | null
  /** The program's output, which the caller must turn into a Secret. */
  readonly output: Buffer
  readonly errors: string
}

const maxOutput = 16 * 1024
const usualTimeLimitMs = 60_000

/**
 * Runs a program that stores secrets. They are passed to it on standard input and returned on standard output.
 * @throws PaddockError CREDENTIAL_FAILED if the program is missing, or does not answer in time
 */
export function askProgram(question: Question): Promise<Answer> {
  const { program, args, input, env, timeLimitMs = usualTimeLimitMs } = question
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd: '/', stdio: 'pipe' })
    const output: Buffer[] = []
    let size = 0
    let errors = ''
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
    }, timeLimitMs)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxOutput) output.push(chunk)
      else child.kill('SIGKILL')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(0, 2_000)
    })
    child.stdin.on('error', () => undefined)
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const what = error.code === 'ENOENT' ? 'is not installed' : `cannot be run (${error.code})`
      reject(new PaddockError('CREDENTIAL_FAILED', `${program} ${what}.`, { hint: question.install }))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      const all = Buffer.concat(output)
      for (const each of output) each.fill(0)
      if (late)
        reject(
          new PaddockError('CREDENTIAL_FAILED', `${program} did not answer in ${timeLimitMs / 1_000} s.`, {
            hint: 'Look for a question in another window, answer it, and try again',
          }),
        )
      else resolve({ code, output: all, errors })
    })
    if (input === null) child.stdin.end()
    else input.use((bytes) => child.stdin.end(Buffer.from(bytes)))
  })
}
