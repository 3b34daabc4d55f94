import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PaddockError } from '../../base/errors.ts'
import { printable } from '../../base/text.ts'
import { privateDirectory } from '../../credentials/vault/private-place.ts'
import { hostProgram } from '../../system/host-program.ts'
import { spawn } from '../../system/start-program.ts'
import type { AgentData } from '../data-directory.ts'
import { connectCurrentHost, connectHost, type HostClient, type HostFrame } from './host-client.ts'

export interface StartOptions {
  readonly data: AgentData
  readonly agent: string
  /** The command that starts this Paddock: its Node and its launcher. */
  readonly program: readonly string[]
  /** The user's environment, which is passed on because it determines where secrets are found. */
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds without a job after which the host process ends. */
  readonly idleMs: number
}

/** Milliseconds that a new host process has to listen, on a slow machine under load. */
const patienceMs = 30_000
/** The size in bytes above which a log is emptied when a host process starts. */
const longestLog = 1024 * 1024

/**
 * Connects to the host process of an agent, and starts it if none of this version is running and none of another is busy: in its own session and without any descriptor of this
 * process, so that it outlives this process.
 * @throws PaddockError CELL_FAILED with the end of the log if the host process does not start; those of `connectCurrentHost`
 */
export async function startHost(options: StartOptions, onFrame: (frame: HostFrame) => void): Promise<HostClient> {
  const { data } = options
  mkdirSync(data.root, { recursive: true, mode: 0o700 })
  await privateDirectory(path.dirname(data.hostFile))
  const running = await connectCurrentHost(data, onFrame)
  if (running !== null) return running
  const log = openSync(data.hostLog, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600)
  try {
    if (fstatSync(log).size > longestLog) ftruncateSync(log)
    const from = fstatSync(log).size
    const child = started(options, log)
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    let hasEnded = false
    void ended.then(() => {
      hasEnded = true
    })
    const until = performance.now() + patienceMs
    while (performance.now() < until) {
      // Another server may have started a host process at the same time. That one has the lock, and this one ends.
      const wasEnded = hasEnded
      const client = await connectHost(data, onFrame)
      if (client !== null) {
        child.unref()
        return client
      }
      if (wasEnded) break
      await Promise.race([ended, pause(25)])
    }
    child.kill('SIGKILL')
    throw new PaddockError('CELL_FAILED', `The host process of agent ${options.agent} did not start: ${endOf(log, from)}`, {
      hint: `Read ${data.hostLog}`,
    })
  } finally {
    closeSync(log)
  }
}

/** Starts the process in its own session (setsid), out of reach of signals to this process's group. It writes no core dump with secrets. */
function started({ data, agent, program, env, idleMs }: StartOptions, log: number) {
  const words = [...program, 'fleet-host', '--agent-root', data.root, '--agent', agent, '--idle', String(idleMs)]
  const home = env['PADDOCK_HOME']
  // Otherwise the garbage of many short jobs would grow to about 20 MB per host process before it is collected.
  const options = `--max-semi-space-size=2 ${env['NODE_OPTIONS'] ?? ''}`.trim()
  const nice = hostProgram('nice')
  // A lower priority, so that the server stays responsive however many cells run.
  return spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$@"', 'sh', ...(nice === null ? [] : [nice, '-n', '10']), ...words], {
    cwd: '/',
    detached: true,
    env: { ...env, NODE_OPTIONS: options, ...(home ? { PADDOCK_HOME: path.resolve(home) } : {}) },
    stdio: ['ignore', log, log],
  })
}

/** Returns the output since `from` on one line. */
function endOf(log: number, from: number): string {
  const buffer = Buffer.alloc(Math.min(4096, Math.max(0, fstatSync(log).size - from)))
  readSync(log, buffer, 0, buffer.length, fstatSync(log).size - buffer.length)
  const text = printable(buffer.toString('utf8')).replace(/\s+/g, ' ').trim()
  return text === '' ? 'it ended without output.' : text.slice(-600)
}
