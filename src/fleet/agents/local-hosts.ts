import { parseDuration } from '../../base/quantities.ts'
import { isHeld } from '../../files/lock.ts'
import type { FleetData } from '../data-directory.ts'
import { connectHost, connectViewer, type HostClient, type HostFrame } from '../host-process/host-client.ts'
import { startHost } from '../host-process/start-host.ts'
import type { HostLink, Hosts } from './host-link.ts'

/** Milliseconds to wait for a host process that has taken its lock and does not listen yet. */
const startingMs = 30_000
const pauseMs = 50
const defaultIdleMs = 10 * 60_000

export interface LocalHostsOptions {
  readonly data: FleetData
  /** The command that starts this Paddock. */
  readonly program: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Returns access to the host processes of this machine. */
export function localHosts({ data, program, env }: LocalHostsOptions): Hosts {
  return {
    async connect({ id }) {
      const agent = data.agent(id)
      for (let waited = 0; ; waited += pauseMs) {
        const link = await linkBy((onFrame) => connectHost(agent, onFrame))
        if (link !== null || waited >= startingMs || !(await isHeld(agent.hostLock))) return link
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
    view: ({ id }, session, viewer) => connectViewer(data.agent(id), session, viewer),
    async start({ id, manifest }) {
      const idleMs = parseDuration(manifest.idle ?? '') ?? defaultIdleMs
      const link = await linkBy((onFrame) => startHost({ data: data.agent(id), agent: id, program, env, idleMs }, onFrame))
      if (link === null) throw new Error('a host process that was started is connected')
      return link
    },
  }
}

/** Connects, and queues the frames that arrive before there is a reader. */
async function linkBy(connect: (onFrame: (frame: HostFrame) => void) => Promise<HostClient | null>): Promise<HostLink | null> {
  let add: (frame: HostFrame) => void = () => undefined
  let end: () => void = () => undefined
  let isOpen = true
  const frames = new ReadableStream<HostFrame>({
    start(controller) {
      add = (frame) => {
        if (isOpen) controller.enqueue(frame)
      }
      end = () => {
        if (isOpen) controller.close()
        isOpen = false
      }
    },
    // The reader failed.
    cancel() {
      isOpen = false
    },
  })
  const client = await connect((frame) => add(frame))
  if (client === null) return null
  void client.closed.then(end)
  return { hello: client.hello, send: client.send, frames, [Symbol.dispose]: client.close }
}
