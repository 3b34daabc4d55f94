import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { type FromHost, protocolVersion, type ToHost } from '../host-process/host-protocol.ts'
import type { Agent } from '../store/agent-store.ts'
import type { HostLink, Hosts } from './host-link.ts'

/** Milliseconds before another attempt to record what a host process did. */
const againMs = 1_000

export interface ConnectionDeps {
  readonly agent: string
  readonly hosts: Hosts
  /** Brings a host process that was connected up to date. Its frames are heard afterwards. */
  readonly onConnected: (link: HostLink) => Promise<void>
  readonly onFrame: (frame: FromHost) => void | Promise<void>
  readonly onDisconnected: () => void
  /** Returns whether anything of the host process is followed, so that a lost connection is made again. */
  readonly isNeeded: () => boolean
  /** Called when no host process runs any more. */
  readonly onLost: () => Promise<void>
  readonly warn: (message: string) => void
}

/** The connection to the host process of one agent: never more than one, made again if only the connection was lost. */
export class HostConnection {
  readonly #deps: ConnectionDeps
  #link: HostLink | null = null
  #linking: Promise<HostLink | null> | null = null
  #following: Promise<void> | null = null
  #closed = false

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
  }

  /** Whether the host process belongs to another version of Paddock. */
  get isOfOtherVersion(): boolean {
    return this.#link !== null && this.#link.hello.version !== protocolVersion
  }

  /** Sends a frame if there is a connection. Without one, `onConnected` sends what the host process misses. */
  send(frame: ToHost): void {
    this.#link?.send(frame)
  }

  /** Connects to the host process if one runs. */
  connect(): Promise<HostLink | null> {
    return this.#link === null ? this.#connect(() => this.#deps.hosts.connect({ id: this.#deps.agent })) : Promise.resolve(this.#link)
  }

  /**
   * Connects to the host process, or starts one.
   * @throws PaddockError CANCELLED if the connection was closed meanwhile
   */
  async start(agent: Agent): Promise<HostLink> {
    let link = this.#link
    while (link === null) link = await this.#connect(() => this.#deps.hosts.start(agent))
    if (this.#closed) throw new PaddockError('CANCELLED', 'The server is ending.')
    return link
  }

  /** Forgets the connection, so that the next start asks again which version runs. */
  drop(): void {
    this.#link?.[Symbol.dispose]()
    this.#link = null
  }

  /** Ends the host process, and waits until its connection is closed. */
  async end(): Promise<void> {
    await this.connect()
    const following = this.#following
    this.send({ type: 'end', now: true })
    await following
  }

  /** Closes the connection; the host process continues to run. */
  close(): void {
    this.#closed = true
    this.#link?.[Symbol.dispose]()
  }

  #connect(connect: () => Promise<HostLink | null>): Promise<HostLink | null> {
    this.#linking ??= connect()
      .then(async (link) => {
        if (this.#closed) link?.[Symbol.dispose]()
        else if (link !== null) {
          this.#link = link
          await this.#deps.onConnected(link)
          this.#following = this.#follow(link)
        }
        return link
      })
      .finally(() => {
        this.#linking = null
      })
    return this.#linking
  }

  async #follow(link: HostLink): Promise<void> {
    try {
      for await (const frame of link.frames) await this.#deps.onFrame(frame)
    } catch (error) {
      this.#deps.warn(`the connection to a host process broke: ${messageOf(error)}`)
    }
    if (this.#link === link) this.#link = null
    link[Symbol.dispose]()
    this.#deps.onDisconnected()
    // If the outcome of the jobs cannot be recorded now (a full disk), try again later.
    while (!this.#closed) {
      try {
        if (this.#link === null && this.#deps.isNeeded() && (await this.connect()) === null) await this.#deps.onLost()
        return
      } catch (error) {
        this.#deps.warn(messageOf(error))
        await pause(againMs, undefined, { ref: false })
      }
    }
  }
}
