import type { Cell } from '../../cell/cell.ts'
import type { Screen, Size } from './kept-screen.ts'
import { type FromViewer, partsOf, type ToViewer, type ViewerFrame } from './viewer-frames.ts'

/** The most bytes that wait for a viewer. A viewer further behind gets the screen again instead of the output that it missed. */
const mostWaiting = 1024 * 1024
/** Milliseconds that such a viewer has to receive the waiting bytes. */
export const patienceMs = 30_000
/** The most viewers at once. */
export const mostViewers = 64

/** A viewer of a terminal. */
export interface ViewerFacts {
  /** The name of the viewer's credential, which other viewers see. */
  readonly name: string
  /** False if the viewer may only watch. */
  readonly mayType: boolean
  /** Whether the viewer takes control as soon as it connects, even if another viewer types. */
  readonly takes: boolean
  /** Whether the terminal that shows the session answers programs' queries (device status, cursor position). */
  readonly answers: boolean
  /** Whether the viewer is a borrower. A borrower learns nothing about the machine. */
  readonly isBorrower: boolean
  readonly size: Size
}

/** The connection to one viewer. Its methods have no effect once the connection has ended. */
export interface ViewerEnd {
  send(frame: ViewerFrame): void
  /** The number of bytes that were sent but not yet received. */
  readonly waiting: number
  /** Calls the listener once when all bytes were received, or when the connection has ended. */
  onTaken(listener: () => void): void
  /** Ends the connection after all bytes were received. */
  end(): void
}

/** The callbacks for a viewer's actions. */
export interface Attached {
  typed(bytes: Buffer): void
  said(frame: FromViewer): void
  left(): void
}

interface Viewer {
  readonly facts: ViewerFacts
  readonly end: ViewerEnd
  size: Size
  /** The timer of a viewer that is too far behind. Until it is shown the screen again, the viewer gets nothing. */
  behind: NodeJS.Timeout | null
}

/**
 * A terminal of a cell and its viewers. One viewer types and determines the size; all others see the same. The program's output is read
 * even without viewers, and a slow viewer does not block anyone else.
 */
export class Session {
  readonly #cell: Cell
  readonly #screen: Screen
  readonly #onChange: () => void
  readonly #viewers = new Set<Viewer>()
  #typist: Viewer | null = null
  #ended: string | null = null
  /** Resolves when all output of the program was passed on. */
  readonly read: Promise<void>

  /** `open` opens the screen; its argument takes answers to queries that no viewer answers. `onChange`: viewers or size have changed. */
  constructor(cell: Cell, open: (onReply: (answer: string) => void) => Screen, onChange: () => void) {
    this.#cell = cell
    this.#onChange = onChange
    this.#screen = open((answer) => {
      if (this.#typist?.facts.answers !== true) this.#type(Buffer.from(answer))
    })
    cell.stdin?.on('error', () => undefined)
    cell.stderr.resume()
    this.read = this.#readAll()
  }

  get size(): Size {
    return this.#screen.size
  }

  get viewers(): number {
    return this.#viewers.size
  }

  get typist(): string | null {
    return this.#typist?.facts.name ?? null
  }

  /** Shows the terminal to a viewer from now on. Null if the terminal has ended or has too many viewers. */
  attach(end: ViewerEnd, facts: ViewerFacts): Attached | null {
    if (this.#ended !== null || this.#viewers.size >= mostViewers) return null
    const viewer: Viewer = { facts, end, size: facts.size, behind: null }
    if (facts.mayType && (facts.takes || this.#typist === null)) this.#take(viewer)
    this.#viewers.add(viewer)
    this.#show(viewer)
    this.#tellCompany(viewer)
    return {
      typed: (bytes) => {
        if (this.#typist === viewer) this.#type(bytes)
      },
      said: (frame) => {
        if (frame.type === 'size') {
          viewer.size = { columns: frame.columns, rows: frame.rows }
          if (this.#typist === viewer) this.#resize(viewer.size)
        } else if (frame.type === 'release') {
          if (this.#typist !== viewer) return
          this.#typist = null
          this.#tellCompany(null)
        } else if (facts.mayType && this.#typist !== viewer) {
          this.#take(viewer)
          this.#tellCompany(null)
        }
      },
      left: () => this.#remove(viewer),
    }
  }

  /** Ends the session. Every viewer gets a message, and its connection ends. `notes`: only for viewers who are not borrowers. */
  end(why: string, notes: readonly string[]): void {
    this.#ended = why
    for (const each of [...this.#viewers]) {
      this.#tell(each, { type: 'ended', why: each.facts.isBorrower ? why : [why, ...notes].join('\n') })
      this.#remove(each)
      each.end.end()
    }
    this.#screen[Symbol.dispose]()
  }

  async #readAll(): Promise<void> {
    try {
      for await (const chunk of this.#cell.stdout as AsyncIterable<Buffer>) {
        await this.#screen.write(chunk)
        for (const each of this.#viewers) this.#pass(each, chunk)
      }
    } catch {
      // The terminal was closed with its cell.
    }
  }

  #pass(viewer: Viewer, chunk: Buffer): void {
    if (viewer.behind !== null) return
    if (viewer.end.waiting < mostWaiting) {
      for (const part of partsOf(chunk)) viewer.end.send(part)
      return
    }
    viewer.behind = setTimeout(() => {
      this.#tell(viewer, { type: 'slow' })
      this.#remove(viewer)
      viewer.end.end()
    }, patienceMs)
    viewer.end.onTaken(() => {
      if (!this.#viewers.has(viewer)) return
      clearTimeout(viewer.behind ?? undefined)
      viewer.behind = null
      this.#show(viewer)
    })
  }

  #show(viewer: Viewer): void {
    this.#tell(viewer, { type: 'screen', ...this.#screen.size, ...this.#company(viewer) })
    for (const part of partsOf(this.#screen.snapshot())) viewer.end.send(part)
    this.#tell(viewer, { type: 'live' })
  }

  #company(viewer: Viewer) {
    return { typist: this.typist, isYou: this.#typist === viewer, mayType: viewer.facts.mayType, viewers: this.#viewers.size }
  }

  /** Reports the current viewers to all viewers except `but`, which knows already. */
  #tellCompany(but: Viewer | null): void {
    for (const each of this.#viewers) if (each !== but) this.#tell(each, { type: 'company', ...this.#company(each) })
    if (this.#ended === null) this.#onChange()
  }

  #tell(viewer: Viewer, frame: ToViewer): void {
    if (viewer.behind === null || frame.type === 'slow' || frame.type === 'ended') viewer.end.send(JSON.stringify(frame))
  }

  #take(viewer: Viewer): void {
    this.#typist = viewer
    this.#resize(viewer.size)
  }

  #resize(size: Size): void {
    const { columns, rows } = this.#screen.size
    if (columns === size.columns && rows === size.rows) return
    this.#screen.resize(size)
    this.#cell.resize(size.columns, size.rows)
    for (const each of this.#viewers) this.#tell(each, { type: 'size', ...size })
    this.#onChange()
  }

  /** Passes input to the program, or drops it while too much input waits unread. */
  #type(bytes: Buffer): void {
    const { stdin } = this.#cell
    if (this.#ended === null && stdin !== null && stdin.writableLength < mostWaiting) stdin.write(bytes)
  }

  #remove(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return
    clearTimeout(viewer.behind ?? undefined)
    if (this.#typist === viewer) this.#typist = null
    this.#tellCompany(null)
  }
}
