import type { Socket } from 'node:net'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { showOver } from '../sessions/socket-viewer.ts'
import { Session, type ViewerFacts } from '../sessions/terminal-session.ts'
import type { FromHost, SessionStatus } from './host-protocol.ts'
import type { OpenTerminal, TerminalOrder } from './open-terminal.ts'
import { waitFor } from './rate-limit.ts'

/** The most terminals of one agent at once. Each is a cell with its processes. */
export const mostTerminals = 16

type Told = Extract<FromHost, { type: 'session' | 'unopened' | 'closed' }>

export interface TerminalsOptions {
  readonly open: (order: TerminalOrder, signal: AbortSignal) => Promise<OpenTerminal>
  readonly tell: (frame: Told) => void
  /** Called when the last terminal has ended. */
  readonly onRest: () => void
}

interface Terminal {
  readonly lease: string | null
  readonly control: AbortController
  readonly startedAt: string
  session: Session | null
  command: readonly string[]
}

/** The terminals of this process. They outlive every viewer and every server. */
export class Terminals {
  readonly #options: TerminalsOptions
  readonly #open = new Map<string, Terminal>()
  #closed: string | null = null

  constructor(options: TerminalsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#open.size
  }

  statuses(): SessionStatus[] {
    return [...this.#open].flatMap(([id, each]) => (each.session === null ? [] : [statusOf(id, each, each.session)]))
  }

  /** Opens a terminal and sends `session` or `unopened`. If it is already open, `session` is sent again. */
  async open(order: TerminalOrder): Promise<void> {
    const { session: id } = order
    const known = this.#open.get(id)
    if (known !== undefined) return this.#tellStatus(id)
    const terminal: Terminal = {
      lease: order.lease?.id ?? null,
      control: new AbortController(),
      startedAt: new Date().toISOString(),
      session: null,
      command: [],
    }
    const { tell, open } = this.#options
    try {
      if (this.#closed !== null) throw new PaddockError('CONFLICT', this.#closed, { hint: 'Try again when it has ended' })
      if (this.#open.size >= mostTerminals)
        throw new PaddockError('BUSY', `This agent has ${mostTerminals} terminals.`, { hint: 'End one of them: paddock session list' })
      this.#open.set(id, terminal)
      const { cell, command, ended } = await open(order, terminal.control.signal)
      const { openScreen } = await import('../sessions/kept-screen.ts')
      const session = new Session(
        cell,
        (onReply) => openScreen(order.size, onReply),
        () => this.#tellStatus(id),
      )
      terminal.command = command
      terminal.session = session
      // The terminal ends with its lease, even if no server runs.
      const over = new AbortController()
      if (order.lease !== undefined)
        void waitFor(Date.parse(order.lease.expiresAt), over.signal, () => Date.now()).then(() => over.signal.aborted || this.close(id))
      this.#tellStatus(id)
      void ended.then(async ({ why, notes }) => {
        await session.read
        this.#remove(id)
        session.end(why, notes)
        tell({ type: 'closed', session: id, why: [why, ...notes].join('\n') })
        over.abort()
      })
    } catch (error) {
      this.#remove(id)
      const { code, hint } = error instanceof PaddockError ? error : { code: 'CELL_FAILED', hint: undefined }
      tell({ type: 'unopened', session: id, code, message: messageOf(error), hint: hint ?? null })
    }
  }

  /** Ends a terminal. `closed` is sent when its cell is gone. */
  close(id: string): void {
    this.#open.get(id)?.control.abort(new PaddockError('CANCELLED', 'The terminal was ended before its cell had started.'))
  }

  closeAll(): void {
    for (const each of this.#open.keys()) this.close(each)
  }

  /** Refuses new terminals from now on. `why` is a sentence. */
  refuse(why: string): void {
    this.#closed ??= why
  }

  /** Shows a terminal to the peer of a connection. */
  attach(id: string, socket: Socket, viewer: ViewerFacts): void {
    showOver(socket, this.#open.get(id)?.session ?? null, viewer)
  }

  #tellStatus(id: string): void {
    const terminal = this.#open.get(id)
    if (terminal?.session != null) this.#options.tell({ type: 'session', status: statusOf(id, terminal, terminal.session) })
  }

  #remove(id: string): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#options.onRest()
  }
}

function statusOf(id: string, { startedAt, command, lease }: Terminal, { size, viewers, typist }: Session): SessionStatus {
  return { session: id, command: [...command], startedAt, ...size, viewers, typist, lease }
}
