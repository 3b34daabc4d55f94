import type { Socket } from 'node:net'
import { PaddockError } from '../../base/errors.ts'
import type { SessionStatus } from '../host-process/host-protocol.ts'
import { newId } from '../ids.ts'
import type { ViewerFacts } from '../sessions/terminal-session.ts'
import type { Agent, Agents } from '../store/agent-store.ts'
import type { SessionOrder } from './agent-sessions.ts'
import type { Hosts } from './host-link.ts'
import type { Worker } from './worker.ts'

/** A terminal and the agent that it belongs to. */
export interface FleetSession extends SessionStatus {
  readonly agent: Agent
}

/** The terminals of all agents. The server relays their output and stores none of it. */
export interface FleetTerminals {
  list(): readonly FleetSession[]
  /** Returns a terminal by its id. @throws PaddockError NOT_FOUND */
  find(id: string): FleetSession
  /** Returns whether a lease has a terminal, or one that is being opened. */
  isLent(lease: string): boolean
  /** Opens a terminal. @throws PaddockError if the host process refused, or if the lease ended meanwhile */
  open(agent: Agent, order: Omit<SessionOrder, 'session'>): Promise<FleetSession>
  /** Asks for the terminal to end. */
  close(session: FleetSession): void
  /** Asks for the terminals of a lease to end. */
  closeLease(lease: string): void
  /** Connects a viewer. @throws PaddockError NOT_FOUND if the terminal is gone */
  view(session: FleetSession, viewer: ViewerFacts): Promise<Socket>
}

export interface TerminalsDeps {
  readonly agents: Pick<Agents, 'get'>
  readonly hosts: Pick<Hosts, 'view'>
  readonly worker: (agent: string) => Worker
  readonly workers: () => ReadonlyMap<string, Worker>
}

export function fleetTerminals({ agents, hosts, worker, workers }: TerminalsDeps): FleetTerminals {
  const list = (): readonly FleetSession[] =>
    [...workers()]
      .flatMap(([id, each]) => {
        const agent = agents.get(id)
        return agent === null ? [] : each.sessions.list.map((session) => ({ ...session, agent }))
      })
      .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  const none = (id: string): PaddockError =>
    new PaddockError('NOT_FOUND', `There is no session ${id}, or it has ended.`, { hint: 'Run: paddock session list' })
  /** The terminals that are being opened in leases. */
  const opening = new Set<{ readonly lease: string; hasEnded: boolean }>()
  return {
    list,
    isLent: (lease) => list().some((each) => each.lease === lease) || [...opening].some((each) => each.lease === lease),
    find(id) {
      const found = list().find((each) => each.session === id)
      if (found === undefined) throw none(id)
      return found
    },
    async open(agent, order) {
      if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.manifest.name} is archived.`)
      if (!agent.isApproved) throw new PaddockError('NOT_ALLOWED', `An owner has not approved the manifest of ${agent.name}.`)
      const open = async (): Promise<FleetSession> => ({
        ...(await worker(agent.id).openSession(agent, { ...order, session: newId('session') })),
        agent,
      })
      if (order.lease === null) return open()
      const own = { lease: order.lease.id, hasEnded: false }
      opening.add(own)
      try {
        const session = await open()
        if (!own.hasEnded) return session
        worker(agent.id).closeSession(session.session)
        throw new PaddockError('CONFLICT', 'The lease has ended.')
      } finally {
        opening.delete(own)
      }
    },
    close: ({ agent, session }) => worker(agent.id).closeSession(session),
    closeLease(lease) {
      for (const each of opening) if (each.lease === lease) each.hasEnded = true
      for (const each of list()) if (each.lease === lease) worker(each.agent.id).closeSession(each.session)
    },
    async view({ agent, session }, viewer) {
      const socket = await hosts.view(agent, session, viewer)
      if (socket === null) throw none(session)
      return socket
    },
  }
}
