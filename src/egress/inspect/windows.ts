import type { ClientHttp2Session } from 'node:http2'
import { guarded } from './guarded.ts'

const wide = 1_048_576
const narrow = 65_536
/** Streams with wide windows; fewer than `few` make them wide again. */
const many = 64
const few = 32

/**
 * The receive windows of all HTTP/2 sessions of one cell to its hosts. Data that a host has sent and the cell has not read is held in them. So
 * they are wide while few streams are open, for downloads from afar, and narrow when there are many.
 */
export class Windows {
  readonly #sessions = new Set<ClientHttp2Session>()
  #open = 0
  #size = wide

  /** Bytes that a stream may be sent unread. */
  get size(): number {
    return this.#size
  }

  join(session: ClientHttp2Session): void {
    this.#sessions.add(session)
    session.once('close', () => this.#sessions.delete(session))
    session.on('localSettings', () => this.#tell(session))
    this.#tell(session)
  }

  opened(): void {
    this.#open++
    if (this.#open > many) this.#resize(narrow)
  }

  closed(): void {
    this.#open--
    if (this.#open < few) this.#resize(wide)
  }

  #resize(size: number): void {
    if (this.#size === size) return
    this.#size = size
    for (const session of this.#sessions) this.#tell(session)
  }

  /** One change at a time: Node ends a session that leaves too many unacknowledged. */
  #tell(session: ClientHttp2Session): void {
    const broken = () => session.destroy()
    guarded(() => {
      if (session.destroyed || session.closed || session.connecting || session.pendingSettingsAck) return
      if (session.localSettings.initialWindowSize !== this.#size) session.settings({ initialWindowSize: this.#size })
    }, broken)()
  }
}
