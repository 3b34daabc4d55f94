import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { PassphraseKey } from '../../credentials/vault/age-key.ts'
import { serveVault } from '../../credentials/vault/agent.ts'
import { agentDirectory, connectAgent } from '../../credentials/vault/agent-client.ts'
import { socketName } from '../../credentials/vault/agent-protocol.ts'
import { keyFromKeyring } from '../../credentials/vault/keyring-key.ts'
import { vaultMeans } from '../../credentials/vault/means.ts'
import { privateDirectory } from '../../credentials/vault/private-place.ts'
import { openVault, type Vault } from '../../credentials/vault/vault.ts'
import { type ErrorCode, errorExitCodes, exitCodes, messageOf, PaddockError } from '../../errors.ts'
import { takeLock } from '../../files/lock.ts'
import { type Paths, resolvePaths } from '../../paths.ts'
import type { Secret } from '../../secrets/secret.ts'
import { passphraseFromInput } from '../terminal/ask-secret.ts'
import { onEndSignal } from '../terminal/signals.ts'

/** Milliseconds from the start to the answer: scrypt on a slow machine, and a keyring that asks its user. */
const patienceMs = 90_000
const lockWaitMs = 10_000

/**
 * Starts the process that keeps the vault unlocked until `until` (milliseconds of the wall clock). The passphrase goes to it by standard
 * input, and nothing secret comes back. It belongs to no terminal, writes no core, and knows only the variables that tell it where
 * things are.
 * @throws PaddockError as unlocking does
 */
export async function startVaultAgent(passphrase: Secret | null, until: number): Promise<void> {
  const [node, bin] = [process.execPath, process.argv[1] ?? '']
  const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$@"', 'sh', node, bin, 'vault', 'agent', '--until', String(until)], {
    cwd: '/',
    detached: true,
    env: agentEnvironment(process.env),
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
    throw new PaddockError('CREDENTIAL_FAILED', 'The process that was to keep the vault unlocked ended without a word.', {
      hint: 'try again',
    })
  if (answer.code === undefined) return
  const code = Object.hasOwn(errorExitCodes, answer.code) ? (answer.code as ErrorCode) : 'CREDENTIAL_FAILED'
  throw new PaddockError(code, answer.message ?? '', answer.hint === undefined ? {} : { hint: answer.hint })
}

/** The process itself: `paddock vault agent`, which nobody types. Tells its parent how it went, then lets go of it. */
export async function vaultAgent(options: { readonly until: string }): Promise<number> {
  const paths = resolvePaths(process.env)
  try {
    const until = Number(options.until)
    if (!Number.isSafeInteger(until)) throw new PaddockError('BAD_INPUT', 'paddock vault unlock starts this process itself.')
    const vault = await unlocked(paths)
    const { ended } = await listen(vault, paths, until)
    await tell({})
    await ended
  } catch (error) {
    const { code, hint } = error instanceof PaddockError ? error : { code: 'CREDENTIAL_FAILED', hint: undefined }
    await tell({ code, message: messageOf(error), ...(hint === undefined ? {} : { hint }) })
    return exitCodes.cannot
  }
  return exitCodes.done
}

async function unlocked(paths: Paths): Promise<Vault> {
  const locked = await openVault(paths.config)
  if (locked.kind === 'keyring') return locked.unlock(await keyFromKeyring(vaultMeans(paths, process.env).keyring(locked.file)))
  return locked.unlock(new PassphraseKey(await passphraseFromInput()))
}

/** One at a time: an earlier one is told to end once this one could unlock the vault, and a lock of the kernel says when it has. */
async function listen(vault: Vault, paths: Paths, until: number): Promise<{ readonly ended: Promise<void> }> {
  const directory = agentDirectory(paths.state)
  await privateDirectory(directory)
  using before = await connectAgent(paths.state)
  await before?.lock().catch(() => undefined)
  const lock = await takeLock({
    file: path.join(directory, 'agent.db'),
    what: 'The unlocked vault',
    command: 'paddock vault unlock',
    patienceMs: lockWaitMs,
    hint: 'Try again',
  })
  process.chdir(directory)
  rmSync(socketName, { force: true })
  const stopped = new AbortController()
  onEndSignal(() => stopped.abort())
  const { ended } = await serveVault(vault, { socket: socketName, until, signal: stopped.signal })
  return { ended: ended.finally(() => lock[Symbol.dispose]()) }
}

/** One line, after which the parent listens no more. */
function tell(answer: object): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve())
    process.stdout.write(`${JSON.stringify(answer)}\n`, () => resolve())
  })
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
  // It stands in another directory.
  return env['PADDOCK_HOME'] ? { ...kept, PADDOCK_HOME: path.resolve(env['PADDOCK_HOME']) } : kept
}
