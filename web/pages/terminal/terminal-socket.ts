import { api } from '../../page-session.ts'
import type { FromServer, Size, ToServer } from './terminal-frames.ts'

/** Milliseconds between two attempts to connect: the first pause and the longest pause. */
const [firstPause, longestPause] = [500, 10_000]
/** The most bytes of one message. The server accepts up to 256 KiB. */
const partBytes = 64 * 1024
/** The number of bytes that are read before the server gets an acknowledgement. */
const reportBytes = 64 * 1024

/** The callbacks of a connection. */
export interface Followed {
  frame(frame: FromServer): void
  bytes(bytes: Uint8Array): void
  /** Called when the connection broke and will be retried. */
  lost(): void
  /** Called with a sentence when the server refuses to show this terminal. The connection is not retried. */
  refused(why: string): void
}

/** A connection to a terminal, which reconnects when it breaks. */
export class Connection {
  readonly #session: string
  readonly #size: () => Size
  readonly #followed: Followed
  #socket: WebSocket | null = null
  #isTypist = false
  #isOver = false
  #read = 0
  #wake: (() => void) | null = null

  /** `size` returns the size of the window. */
  constructor(session: string, size: () => Size, followed: Followed) {
    this.#session = session
    this.#size = size
    this.#followed = followed
    addEventListener('online', this.retry)
    addEventListener('offline', this.#cut)
    document.addEventListener('visibilitychange', this.retry)
    void this.#run()
  }

  type(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    for (let at = 0; at < bytes.length; at += partBytes) this.#socket.send(bytes.subarray(at, at + partBytes))
  }

  say(frame: ToServer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  /** Reports that more bytes were read. `isAll`: nothing is left to read. */
  read(bytes: number, isAll: boolean): void {
    this.#read += bytes
    if (this.#read === 0 || (this.#read < reportBytes && !isAll)) return
    this.say({ type: 'taken', bytes: this.#read })
    this.#read = 0
  }

  /** Ends a pause before the next attempt. */
  readonly retry = (): void => this.#wake?.()

  close(): void {
    this.#isOver = true
    removeEventListener('online', this.retry)
    removeEventListener('offline', this.#cut)
    document.removeEventListener('visibilitychange', this.retry)
    this.#socket?.close()
    this.retry()
  }

  /** Closes the connection, because a browser without a network would keep a dead one. */
  readonly #cut = (): void => this.#socket?.close()

  async #run(): Promise<void> {
    for (let pause = firstPause; !this.#isOver; pause = Math.min(longestPause, pause * 2)) {
      try {
        const refusal = await this.#refusal()
        if (this.#isOver) return
        if (refusal !== null) return this.#followed.refused(refusal)
        const { data } = await api.POST('/api/v1/tickets', {})
        if (this.#isOver) return
        if (data !== undefined && (await this.#follow(data.protocols))) pause = firstPause
      } catch {
        // The server is unreachable.
      }
      if (this.#isOver) return
      this.#followed.lost()
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = null
    }
  }

  /** Returns why the terminal cannot be shown, or null. Checked first, because a browser does not report why a WebSocket was refused. */
  async #refusal(): Promise<string | null> {
    const { response, error } = await api.GET('/api/v1/sessions/{session}', { params: { path: { session: this.#session } } })
    if (response.ok || response.status === 429 || response.status >= 500) return null
    return (error as { readonly detail?: string } | undefined)?.detail ?? `The server refused it (${response.status}).`
  }

  /** Resolves when the connection has ended, with true if the terminal was shown. */
  #follow(protocols: string[]): Promise<boolean> {
    const { columns, rows } = this.#size()
    const query = new URLSearchParams({
      columns: String(columns),
      rows: String(rows),
      acknowledges: 'true',
      // A viewer who was typing before the connection broke continues to type.
      takes: String(this.#isTypist),
    })
    const url = `${location.origin.replace(/^http/, 'ws')}/api/v1/sessions/${encodeURIComponent(this.#session)}/terminal?${query}`
    const socket = new WebSocket(url, protocols)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#read = 0
    let wasShown = false
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data !== 'string') return this.#followed.bytes(new Uint8Array(data))
      const frame = JSON.parse(data) as FromServer
      if (frame.type === 'screen') wasShown = true
      if (frame.type === 'screen' || frame.type === 'company') this.#isTypist = frame.isYou
      if (frame.type === 'ended') this.#isOver = true
      this.#followed.frame(frame)
    })
    return new Promise((resolve) => socket.addEventListener('close', () => resolve(wasShown)))
  }
}
