import { realpathSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PaddockError } from '../../base/errors.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { isHeld } from '../../files/lock.ts'
import type { AgentData } from '../data-directory.ts'
import { framesOf } from './host-frames.ts'
import { type FromHost, fromHost, protocolVersion, type ToHost } from './host-protocol.ts'

/** The first frame of a host process. */
export type HostHello = Extract<FromHost, { type: 'hello' }>
/** A frame that a host process sends after its hello. */
export type HostFrame = Exclude<FromHost, { type: 'hello' }>

/** A connection to the host process of one agent. */
export interface HostClient {
  readonly hello: HostHello
  /** Sends a frame. Has no effect after the connection has ended. */
  send(frame: Exclude<ToHost, { type: 'hello' }>): void
  /** Resolves when the connection has ended, from either side. */
  readonly closed: Promise<void>
  /** Ends the connection; the host process and its jobs continue. */
  close(): void
}

/** Milliseconds within which a running host process sends its hello. */
const helloMs = 10_000
const pauseMs = 25

/**
 * Connects to the host process of an agent; null if none is running. `onFrame` gets every frame after `hello`, in order, until `closed`.
 * @throws PaddockError BUSY if the host process does not answer; NOT_ALLOWED if its socket belongs to another user
 */
export async function connectHost(data: AgentData, onFrame: (frame: HostFrame) => void): Promise<HostClient | null> {
  const socket = await connected(data)
  if (socket === null) return null
  const { promise: greeting, resolve: greeted, reject: failed } = Promise.withResolvers<HostHello | null>()
  const { promise: closed, resolve: setClosed } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    failed(
      new PaddockError('BUSY', `The host process that listens on ${data.socket} does not answer.`, {
        hint: `See which process it is: cat ${data.hostFile}`,
      }),
    )
    socket.destroy()
  }, helloMs)
  const frames = framesOf<typeof fromHost, ToHost>(socket, fromHost, {
    frame(frame) {
      if (frame.type !== 'hello') return onFrame(frame)
      clearTimeout(timer)
      greeted(frame)
    },
    close() {
      clearTimeout(timer)
      // The host process ended while this process was connecting.
      greeted(null)
      setClosed()
    },
  })
  frames.send({ type: 'hello', version: protocolVersion })
  const hello = await greeting
  return hello === null ? null : { hello, send: frames.send, closed, close: frames.destroy }
}

/**
 * Like `connectHost`, but asks a host process of another version that has neither jobs nor terminals to end. Resolves with null once it
 * has ended.
 * @throws PaddockError BUSY if it does not end
 */
export async function connectCurrentHost(data: AgentData, onFrame: (frame: HostFrame) => void): Promise<HostClient | null> {
  const client = await connectHost(data, onFrame)
  if (client === null) return null
  const { version, jobs, sessions, pid } = client.hello
  if (version === protocolVersion || jobs.length > 0 || sessions.length > 0) return client
  client.send({ type: 'end', now: false })
  for (let waited = 0; waited < helloMs; waited += pauseMs) {
    if (!(await isHeld(data.hostLock))) return null
    await pause(pauseMs)
  }
  client.close()
  throw new PaddockError('BUSY', `The host process ${pid} of another version of Paddock does not end.`, { hint: `Run: kill ${pid}` })
}

/**
 * Connects a viewer to a terminal of an agent. Frames of `viewer-frames` go both ways, and the host process sends first. Null if no host
 * process is running.
 * @throws PaddockError NOT_ALLOWED if the socket belongs to another user
 */
export async function connectViewer(
  data: AgentData,
  session: string,
  viewer: Extract<ToHost, { type: 'attach' }>['viewer'],
): Promise<Socket | null> {
  const socket = await connected(data)
  const attach: ToHost = { type: 'attach', version: protocolVersion, session, viewer }
  if (socket === null) return null
  // The host process may hang up immediately; the caller then sees the end of the connection.
  socket.on('error', () => undefined)
  socket.write(`${JSON.stringify(attach)}\n`)
  // Otherwise the bytes that arrived with the first line would be lost.
  await new Promise<void>((resolve) => {
    socket.once('readable', resolve)
    socket.once('close', resolve)
  })
  return socket
}

/** Connects through a descriptor of the directory: the path of a socket has at most 107 bytes (unix(7)). */
function connected(data: AgentData): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const none = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null)
      else
        reject(
          new PaddockError('NOT_ALLOWED', `${data.socket} cannot be used (${error.code ?? error.message}).`, {
            hint: `Run: ls -ld ${data.socket}`,
            cause: error,
          }),
        )
    }
    try {
      const file = path.join(realpathSync(path.dirname(data.socket)), path.basename(data.socket))
      const socket = inDirectory(file, (safe) => connect({ path: safe }))
      socket.once('error', none)
      socket.once('connect', () => {
        socket.off('error', none)
        resolve(socket)
      })
    } catch (error) {
      none(error as NodeJS.ErrnoException)
    }
  })
}
