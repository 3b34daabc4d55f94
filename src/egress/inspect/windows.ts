import type { ClientHttp2Session } from 'node:http2'
import { guarded } from './guarded.ts'

const wide = 1_048_576
const narrow = 65_536
/** With more than `many` open streams the windows become narrow; with fewer than `few` they become wide again. */
const many = 64
const few = 32

/**
 * The receive windows of all HTTP/2 sessions from one cell to its hosts. They buffer data that a host has sent and the cell has not read.
 * They are wide while few streams are open, for downloads over long distances, and narrow while there are many.
 */
export class Windows {
  readonly #sessions = new Set<ClientHttp2Session>()
  #open = 0
  #size = wide

  /** Bytes that a host may send on a stream before the cell reads them. */
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

  /** Sends one change at a time, because Node ends a session with too many unacknowledged settings. */
  #tell(session: ClientHttp2Session): void {
    const broken = () => session.destroy()
    guarded(() => {
      if (session.destroyed || session.closed || session.connecting || session.pendingSettingsAck) return
      if (session.localSettings.initialWindowSize !== this.#size) session.settings({ initialWindowSize: this.#size })
    }, broken)()
  }
}
