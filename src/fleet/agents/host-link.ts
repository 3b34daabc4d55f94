import type { Socket } from 'node:net'
import type { FromHost, ToHost } from '../host-process/host-protocol.ts'
import type { ViewerFacts } from '../sessions/terminal-session.ts'
import type { Agent } from '../store/agent-store.ts'

/** A connection to the host process of an agent. */
export interface HostLink extends Disposable {
  readonly hello: Extract<FromHost, { type: 'hello' }>
  send(frame: ToHost): void
  /** The frames that the host process sends, until the connection ends. */
  readonly frames: AsyncIterable<FromHost>
}

/** Connects to host processes. */
export interface Hosts {
  /** Connects to the agent's host process, and waits for one that is starting. Null if none is running. */
  connect(agent: Pick<Agent, 'id'>): Promise<HostLink | null>
  /** Connects a viewer to a terminal. Null if no host process is running. */
  view(agent: Pick<Agent, 'id'>, session: string, viewer: ViewerFacts): Promise<Socket | null>
  /** Starts a host process, or connects to the one that is running. */
  start(agent: Agent): Promise<HostLink>
}
