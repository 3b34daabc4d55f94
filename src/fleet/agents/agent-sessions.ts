import { type ErrorCode, errorExitCodes, PaddockError } from '../../base/errors.ts'
import type { FromHost, SessionStatus } from '../host-process/host-protocol.ts'
import type { Size } from '../sessions/kept-screen.ts'
import type { Agent } from '../store/agent-store.ts'
import type { HostLink } from './host-link.ts'

export interface SessionOrder {
  readonly session: string
  /** The program and its arguments; null for the agent's CLI, as a human uses it. */
  readonly command: readonly string[] | null
  readonly size: Size
  /** Whether an owner opens it. */
  readonly byOwner: boolean
  /** The lease that the terminal belongs to, or null. */
  readonly lease: { readonly id: string; readonly expiresAt: string } | null
}

export type SessionFrame = Extract<FromHost, { type: 'session' | 'unopened' | 'closed' }>

/** The terminals of one agent, as reported by its host process. */
export class AgentSessions {
  readonly #open = new Map<string, SessionStatus>()
  readonly #opening = new Map<string, PromiseWithResolvers<SessionStatus>>()
  readonly #onChange: (session: string, ended: string | null) => void

  /** `onChange` is called with null when a session opens, and with the reason when a session ends. */
  constructor(onChange: (session: string, ended: string | null) => void) {
    this.#onChange = onChange
  }

  get size(): number {
    return this.#open.size
  }

  get list(): readonly SessionStatus[] {
    return [...this.#open.values()]
  }

  /**
   * Opens a terminal.
   * @throws PaddockError if the host process refused
   */
  async open(link: HostLink, { manifest }: Agent, { session, command, size, byOwner, lease }: SessionOrder): Promise<SessionStatus> {
    const opening = Promise.withResolvers<SessionStatus>()
    this.#opening.set(session, opening)
    const within = lease === null ? {} : { lease: { ...lease } }
    link.send({ type: 'open', session, manifest, command: command === null ? null : [...command], size: { ...size }, byOwner, ...within })
    return opening.promise.finally(() => this.#opening.delete(session))
  }

  heard(frame: SessionFrame): void {
    if (frame.type === 'session') {
      const { status } = frame
      const isNew = !this.#open.has(status.session)
      this.#open.set(status.session, status)
      if (isNew) this.#onChange(status.session, null)
      this.#opening.get(status.session)?.resolve(status)
    } else if (frame.type === 'unopened') this.#opening.get(frame.session)?.reject(unopened(frame))
    else {
      this.#opening.get(frame.session)?.reject(new PaddockError('CELL_FAILED', frame.why))
      if (this.#open.delete(frame.session)) this.#onChange(frame.session, frame.why)
    }
  }

  /** Stores the sessions that a host process reports when it connects; null if the host process is gone. */
  connected(sessions: readonly SessionStatus[] | null): void {
    const before = [...this.#open.keys()]
    this.#open.clear()
    for (const each of sessions ?? []) this.#open.set(each.session, each)
    const why = sessions === null ? 'Its host process was lost.' : 'It ended while no server was connected.'
    for (const each of before) if (!this.#open.has(each)) this.#onChange(each, why)
  }

  /** Handles the end of the connection: requests that were sent over it will not be answered. */
  disconnected(): void {
    const broken = new PaddockError('CELL_FAILED', 'The host process of the agent has ended.', { hint: 'Try again' })
    for (const each of this.#opening.values()) each.reject(broken)
  }
}

function unopened({ code, message, hint }: Extract<FromHost, { type: 'unopened' }>): PaddockError {
  const known = Object.hasOwn(errorExitCodes, code) ? (code as ErrorCode) : 'CELL_FAILED'
  return new PaddockError(known, message, hint === null ? {} : { hint })
}
