import type { Socket } from 'node:net'
import type { FromHost, ToHost } from '../host-process/protocol.ts'
import type { ViewerFacts } from '../sessions/session.ts'
import type { Agent } from '../store/agents.ts'

/** A connection to the host process of an agent. */
export interface HostLink extends Disposable {
  readonly hello: Extract<FromHost, { type: 'hello' }>
  send(frame: ToHost): void
  /** Ends when the connection does. */
  readonly frames: AsyncIterable<FromHost>
}

/** Connects to host processes. */
export interface Hosts {
  /** Null if none runs for this agent. Waits for one that is starting. */
  connect(agent: Pick<Agent, 'id'>): Promise<HostLink | null>
  /** Connects a viewer to a terminal. Null if no host process runs. */
  view(agent: Pick<Agent, 'id'>, session: string, viewer: ViewerFacts): Promise<Socket | null>
  /** Starts a host process, or connects to the one that runs. */
  start(agent: Agent): Promise<HostLink>
}
