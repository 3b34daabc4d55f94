import path from 'node:path'
import { type ErrorCode, errorExitCodes, PaddockError } from '../../base/errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { spawn } from '../../system/start-program.ts'

/** How long to wait for an answer, in milliseconds, because scrypt may run on a slow machine and a keyring may ask the user. */
const patienceMs = 90_000

/** The command and the environment for starting Paddock again. */
export interface OwnProgram {
  readonly program: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/**
 * Starts the process that keeps the vault unlocked until `until` (milliseconds of the wall clock). It reads the passphrase from standard
 * input, and returns nothing secret. It has no terminal, writes no core dump, and gets only the variables that it needs to find its
 * files.
 * @throws PaddockError the same as unlocking
 */
export async function startVaultAgent(passphrase: Secret | null, until: number, by: OwnProgram): Promise<void> {
  const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$@"', 'sh', ...by.program, 'vault', 'agent', '--until', String(until)], {
    cwd: '/',
    detached: true,
    env: agentEnvironment(by.env),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const said = await new Promise<string>((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    child.once('error', reject)
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(0, 10_000)
      if (text.includes('\n')) done()
    })
    const done = (): void => {
      clearTimeout(timer)
      child.stdout.destroy()
      resolve(text)
    }
    child.stdout.once('close', done)
    if (passphrase === null) child.stdin.end()
    else passphrase.use((bytes) => child.stdin.end(Buffer.concat([bytes, Buffer.from('\n')])))
  })
  child.unref()
  const answer = answerOf(said)
  if (answer === null)
    throw new PaddockError('CREDENTIAL_FAILED', 'The process that keeps the vault unlocked exited without output.', {
      hint: 'Try again',
    })
  if (answer.code === undefined) return
  const code = Object.hasOwn(errorExitCodes, answer.code) ? (answer.code as ErrorCode) : 'CREDENTIAL_FAILED'
  throw new PaddockError(code, answer.message ?? '', answer.hint === undefined ? {} : { hint: answer.hint })
}

function answerOf(text: string): { readonly code?: string; readonly message?: string; readonly hint?: string } | null {
  try {
    return JSON.parse(text) as { code?: string; message?: string; hint?: string }
  } catch {
    return null
  }
}

function agentEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['HOME', 'PATH', 'LANG', 'PADDOCK_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR']
  const session = ['DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY']
  const kept = Object.fromEntries([...names, ...session].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
  // The path must be absolute, because the process has a different working directory.
  return env['PADDOCK_HOME'] ? { ...kept, PADDOCK_HOME: path.resolve(env['PADDOCK_HOME']) } : kept
}
