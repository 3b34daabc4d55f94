import { chmodSync, existsSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { identify } from '../../system/process-identity.ts'
import type { AgentData } from '../data-directory.ts'
import { mostViewers } from '../sessions/terminal-session.ts'
import type { HostFile } from './host-file.ts'
import { Jobs, type JobsOptions } from './host-jobs.ts'
import { connectionOf, type ServedConnection } from './host-process-connection.ts'
import { protocolVersion } from './host-protocol.ts'
import { mostTerminals, Terminals, type TerminalsOptions } from './host-terminals.ts'

export interface ServeOptions {
  readonly data: AgentData
  readonly agent: string
  /** The version of Paddock. */
  readonly paddock: string
  /** The path to listen on, which leads to `data.socket` and is short enough for a socket. */
  readonly socket: string
  /** Milliseconds without a job after which the process ends. */
  readonly idleMs: number
  readonly run: JobsOptions['run']
  readonly openTerminal: TerminalsOptions['open']
  readonly notice: (line: string) => void
  /** Aborted by a signal to this process. Cells are then ended, and their jobs are interrupted. */
  readonly signal: AbortSignal
}

/** The most connections: enough for several servers and all viewers of terminals. */
const maxConnections = 32 + mostTerminals * mostViewers
const ending = 'The host process of this agent is ending.'
/** Milliseconds that the server that started this process has to send the first job. */
const firstJobMs = 30_000

/**
 * Serves the jobs and terminals of one agent to every process that can open the socket. Resolves once it listens and `host.json` exists;
 * `ended` resolves when both are removed again: the process was asked to end, had no job for long enough, or got a signal. The caller holds
 * the agent's lock.
 * @throws PaddockError FILES_FAILED if the process cannot listen
 */
export async function serveHost(options: ServeOptions): Promise<{ readonly ended: Promise<void> }> {
  const { data, agent, paddock, socket: place, notice } = options
  const connections = new Set<ServedConnection>()
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<void>()
  let isEnding = false
  let idle: NodeJS.Timeout | undefined

  const tell: JobsOptions['tell'] & TerminalsOptions['tell'] = (frame) => {
    for (const each of connections) each.tell(frame)
  }
  const isIdle = (): boolean => jobs.size === 0 && terminals.size === 0
  const onRest = (): void => {
    if (!isIdle()) return
    if (isEnding) close()
    else rest(options.idleMs)
  }
  const jobs = new Jobs({ data, run: options.run, notice, tell, onRest })
  const terminals = new Terminals({ open: options.openTerminal, tell, onRest })
  const rest = (ms: number): void => {
    clearTimeout(idle)
    idle = setTimeout(() => isIdle() && close(), ms)
  }
  const refuse = (): void => {
    jobs.close(ending)
    terminals.refuse(ending)
  }
  const end = (now: boolean): void => {
    isEnding = true
    refuse()
    if (now) jobs.cancelAll()
    // No server would find open terminals again.
    terminals.closeAll()
    if (isIdle()) close()
  }
  const interrupt = (): void => {
    end(false)
    jobs.interrupt()
  }
  let closed = false
  function close(): void {
    if (closed) return
    closed = true
    clearTimeout(idle)
    options.signal.removeEventListener('abort', interrupt)
    refuse()
    for (const each of [data.hostFile, place]) rmSync(each, { force: true })
    server.close(() => setEnded())
    for (const each of connections) each.end()
  }

  const server = createServer((socket: Socket) => {
    if (connections.size >= maxConnections) {
      socket.destroy()
      return
    }
    const connection = connectionOf(socket, {
      jobs,
      terminals,
      data,
      hello: () => ({
        ...{ type: 'hello', version: protocolVersion, paddock, agent, pid: process.pid },
        ...{ jobs: jobs.statuses(), sessions: terminals.statuses() },
      }),
      end,
      onClose: () => connections.delete(connection),
    })
    connections.add(connection)
  })
  // This is the socket of an earlier process that was killed.
  if (existsSync(place)) rmSync(place)
  await new Promise<void>((listening, failed) => {
    server.once('error', (error) =>
      failed(new PaddockError('FILES_FAILED', `${data.socket} cannot be listened on: ${error.message}`, { cause: error })),
    )
    server.listen({ path: place }, listening)
  })
  chmodSync(place, 0o600)
  const self = await identify(process.pid)
  const file: HostFile = { schemaVersion: 1, agent, pid: process.pid, started: self?.started ?? '', version: protocolVersion, paddock }
  await writeJson(data.hostFile, file, { mode: 0o600 })
  options.signal.addEventListener('abort', interrupt, { once: true })
  if (options.signal.aborted) interrupt()
  else rest(Math.max(options.idleMs, firstJobMs))
  return { ended }
}
